import { Badge, Group, Stack, Text } from '@mantine/core';
import { graphql, type ResultOf } from '../../api/graphql.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { authentication } from '../../sign-in/authentication.ts';
import { useAuthentication } from '../../sign-in/use-authentication.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { browserOf } from './browser-of.ts';
import { BorderedSection } from '../../ui/page.tsx';
import { profileTexts } from './texts.ts';

const sessionsDocument = graphql(`
  query Sessions {
    sessions {
      id
      createdAt
      updatedAt
      ipAddress
      userAgent
      isCurrent
    }
  }
`);

const endSessionDocument = graphql(`
  mutation EndSession($id: ID!) {
    endSession(id: $id)
  }
`);

type Session = ResultOf<typeof sessionsDocument>['sessions'][number];

const messages = texts(
  {
    unknown: 'Navegador desconhecido',
    current: 'Este navegador',
    about: (from: string, lastUsed: string) => `Entrou em ${from} · último uso em ${lastUsed}`,
    end: 'Encerrar',
    endAbout: (name: string) => `A sessão em ${name} termina imediatamente e pedirá a senha novamente.`,
    ended: 'Sessão encerrada',
  },
  {
    unknown: 'Unknown browser',
    current: 'This browser',
    about: (from, lastUsed) => `Signed in ${from} · last used ${lastUsed}`,
    end: 'End',
    endAbout: (name) => `The session in ${name} ends at once and will ask for the password again.`,
    ended: 'Session ended',
  },
);

function SessionLine({ session }: { session: Session }) {
  const text = useTexts(messages);
  const { dateTime } = useFormats();
  const end = useServiceMutation(endSessionDocument);
  const { id, createdAt, updatedAt, ipAddress, userAgent, isCurrent } = session;
  const name = browserOf(userAgent) ?? text.unknown;
  return (
    <Group justify="space-between" wrap="nowrap" align="flex-start">
      <Stack gap={0} miw={0} style={{ overflowWrap: 'anywhere' }}>
        <Text size="sm" fw={600}>
          {name}
          {ipAddress && ` · ${ipAddress}`}
        </Text>
        <Text size="xs" c="dimmed">
          {text.about(dateTime(createdAt), dateTime(updatedAt))}
        </Text>
      </Stack>
      {isCurrent ? (
        <Badge variant="light" tt="none" style={{ flexShrink: 0 }}>
          {text.current}
        </Badge>
      ) : (
        <ConfirmButton
          label={text.end}
          subject={name}
          size="xs"
          mutation={end}
          onConfirm={(close) => {
            end.mutate(
              { id },
              {
                onSuccess: () => {
                  close();
                  notify(text.ended);
                },
              },
            );
          }}
        >
          {text.endAbout(name)}
        </ConfirmButton>
      )}
    </Group>
  );
}

/** Lists where the person is signed in. */
export function Sessions() {
  const text = useTexts(profileTexts);
  const result = useServiceQuery(sessionsDocument, {});
  const end = useAuthentication(authentication.signOutElsewhere);
  return (
    <BorderedSection title={text.sessions} about={text.sessionsAbout}>
      <QueryResult result={result}>
        {({ sessions }) => (
          <Stack gap="sm">
            {sessions.map((session) => (
              <SessionLine key={session.id} session={session} />
            ))}
          </Stack>
        )}
      </QueryResult>
      <Group>
        <ConfirmButton
          label={text.signOutElsewhere}
          size="sm"
          mutation={end}
          onConfirm={(close) => {
            end.mutate(undefined, {
              onSuccess: () => {
                close();
                notify(text.signedOutElsewhere);
                void result.refetch();
              },
            });
          }}
        >
          {text.signOutElsewhereAbout}
        </ConfirmButton>
      </Group>
    </BorderedSection>
  );
}
