import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation } from '../../base/use-service.ts';
import { useSession } from '../../base/use-session.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { renameOrganizationDocument } from './documents.ts';
import { Section } from '../../ui/page.tsx';

const messages = texts(
  {
    title: 'Nome',
    about: 'Aparece para membros, pessoas convidadas e pagadores.',
    save: 'Salvar nome',
    saved: 'Nome salvo.',
  },
  {
    title: 'Name',
    about: 'Members, invited people and payers see it.',
    save: 'Save name',
    saved: 'Name saved.',
  },
);

/** Only owners see it. */
export function OrganizationName() {
  const text = useTexts(messages);
  const { organizationId } = useWorkplace();
  const { me, refresh } = useSession();
  const current = me.memberships.find((each) => each.organizationId === organizationId)?.organizationName;
  const [name, setName] = useState(current ?? '');
  const rename = useServiceMutation(renameOrganizationDocument);
  const fieldError = useFieldErrors(rename.error);
  const nameError = fieldError('name');
  const send = (event: FormEvent) => {
    event.preventDefault();
    rename.mutate(
      { name },
      {
        onSuccess: ({ renameOrganization: saved }) => {
          setName(saved);
          notify(text.saved);
          void refresh();
        },
      },
    );
  };
  return (
    <Section title={text.title}>
      <form onSubmit={send}>
        <Stack gap="sm" maw={480}>
          <TextInput
            aria-label={text.title}
            description={text.about}
            error={nameError}
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
            }}
          />
          {!nameError && <ErrorAlert error={rename.error} />}
          <Group>
            <Button
              type="submit"
              variant="default"
              loading={rename.isPending}
              disabled={name.trim() === '' || name.trim() === current}
            >
              {text.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
