import { Group } from '@mantine/core';
import { useLocation } from 'wouter';
import { graphql } from '../../api/graphql.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation } from '../../base/use-service.ts';
import { useSession } from '../../base/use-session.ts';
import { useWorkplace, workplacePath } from '../../base/use-workplace.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { BorderedSection } from '../../ui/page.tsx';

const leaveDocument = graphql(`
  mutation LeaveOrganization($userId: ID!) {
    removeMember(userId: $userId)
  }
`);

const messages = texts(
  {
    title: 'Organização',
    about: (organization: string) => `Você tem acesso a ${organization}.`,
    leave: 'Sair da organização',
    leaveAbout: (organization: string) =>
      `Você perde imediatamente o acesso a ${organization}. Para voltar, precisará de um novo convite. Chaves de API e webhooks continuam funcionando.`,
    left: (organization: string) => `Você saiu de ${organization}.`,
  },
  {
    title: 'Organization',
    about: (organization) => `You have access to ${organization}.`,
    leave: 'Leave organization',
    leaveAbout: (organization) =>
      `You immediately lose access to ${organization} and need a new invitation to come back. API keys and webhooks keep working.`,
    left: (organization) => `You left ${organization}.`,
  },
);

/** The service refuses the last owner. */
export function LeaveOrganization() {
  const text = useTexts(messages);
  const { me, refresh } = useSession();
  const { organizationId, organizationName, mode } = useWorkplace();
  const next = me.memberships.find((each) => each.organizationId !== organizationId);
  const [, navigate] = useLocation();
  const leave = useServiceMutation(leaveDocument);
  return (
    <BorderedSection title={text.title} about={text.about(organizationName)}>
      <Group>
        <ConfirmButton
          label={text.leave}
          color="red"
          mutation={leave}
          onConfirm={() => {
            leave.mutate(
              { userId: me.id },
              {
                onSuccess: () => {
                  notify(text.left(organizationName));
                  navigate(next ? `~/dashboard${workplacePath({ ...next, mode })}` : '~/dashboard');
                  void refresh();
                },
              },
            );
          }}
        >
          {text.leaveAbout(organizationName)}
        </ConfirmButton>
      </Group>
    </BorderedSection>
  );
}
