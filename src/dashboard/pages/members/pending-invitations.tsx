import { Group, Stack, Title } from '@mantine/core';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { RoleName } from '../../parts/roles/role-name.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { WholeText } from '../../ui/clipped-text.tsx';
import { useFormats, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import {
  type Invitation,
  invitationsDocument,
  inviteMemberDocument,
  revokeInvitationDocument,
} from './documents.ts';
import { memberTexts } from './texts.ts';

function RevokeButton({ invitation: { id, email } }: { invitation: Invitation }) {
  const text = useTexts(memberTexts);
  const revoke = useServiceMutation(revokeInvitationDocument, text.revoked);
  return (
    <ConfirmButton
      label={text.revoke}
      subject={email}
      color="red"
      variant="subtle"
      mutation={revoke}
      onConfirm={(close) => {
        revoke.mutate({ id }, { onSuccess: close });
      }}
    >
      {text.revokeAbout(email)}
    </ConfirmButton>
  );
}

function SendAgainButton({ invitation: { id, email, name, role } }: { invitation: Invitation }) {
  const text = useTexts(memberTexts);
  const invite = useServiceMutation(inviteMemberDocument);
  return (
    <ConfirmButton
      label={text.sendAgain}
      subject={email}
      variant="subtle"
      mutation={invite}
      onConfirm={(close) => {
        invite.mutate(
          // Somebody may have revoked it since the list was read.
          { email, name, role, replaces: id },
          {
            onSuccess: () => {
              close();
              notify(text.invited(email));
            },
          },
        );
      }}
    >
      {text.sendAgainAbout(email)}
    </ConfirmButton>
  );
}

function useColumns(): Column<Invitation>[] {
  const text = useTexts(memberTexts);
  const { dateTime } = useFormats();
  return [
    {
      header: text.person,
      cell: ({ email, name }) => <WholeText>{name ? `${name} (${email})` : email}</WholeText>,
    },
    { header: text.role, cell: ({ role }) => <RoleName role={role} /> },
    {
      header: text.invitedBy,
      cell: ({ invitedBy }) => (invitedBy ? <WholeText>{invitedBy}</WholeText> : text.operator),
    },
    { header: text.until, isWhole: true, cell: ({ expiresAt }) => dateTime(expiresAt) },
    {
      header: '',
      cell: (invitation) => (
        <Group gap={4} justify="flex-end" wrap="nowrap">
          <SendAgainButton invitation={invitation} />
          <RevokeButton invitation={invitation} />
        </Group>
      ),
    },
  ];
}

/** Only owners see it. Renders nothing without pending invitations. */
export function PendingInvitations() {
  const text = useTexts(memberTexts);
  const columns = useColumns();
  const result = useServiceQuery(invitationsDocument, {});
  return (
    <QueryResult result={result}>
      {({ invitations }) =>
        invitations.length > 0 && (
          <Stack gap="sm">
            <Title order={2} size="h4">
              {text.pending}
            </Title>
            <DataTable
              caption={text.pending}
              columns={columns}
              rows={invitations}
              keyOf={({ id }) => id}
              empty={null}
            />
          </Stack>
        )
      }
    </QueryResult>
  );
}
