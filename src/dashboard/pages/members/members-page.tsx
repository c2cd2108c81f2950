import { Alert, Badge, Group, SimpleGrid, Stack, Text, Title } from '@mantine/core';
import { Info, UserPlus } from 'lucide-react';
import { roles } from '../../../core/base/roles.ts';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { ClippedText, LineText } from '../../ui/clipped-text.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { useFormats, useTexts } from '../../base/language.tsx';
import { roleTexts } from '../../parts/role-texts.ts';
import { RoleName } from '../../parts/roles/role-name.tsx';
import { useSession } from '../../base/use-session.ts';
import { notify, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { type Member, membersDocument } from './documents.ts';
import { InviteForm } from './invite-form.tsx';
import { MemberActions } from './member-actions.tsx';
import { roleAbouts } from '../../parts/roles/role-abouts.ts';
import { PendingInvitations } from './pending-invitations.tsx';
import { SecondFactorRoles } from './second-factor-roles.tsx';
import { memberTexts } from './texts.ts';

function useColumns(): Column<Member>[] {
  const text = useTexts(memberTexts);
  const { date, dateTime } = useFormats();
  const { me } = useSession();
  const { may } = useWorkplace();
  return [
    {
      header: text.person,
      cell: ({ userId, name, createdAt }) => (
        <Group gap={6} wrap="nowrap" title={`${text.since} ${date(createdAt)}`}>
          <Text span size="sm" fw={600}>
            <ClippedText>{name}</ClippedText>
          </Text>
          {userId === me.id && (
            <Text span size="sm" c="dimmed" style={{ whiteSpace: 'nowrap' }}>
              ({text.you})
            </Text>
          )}
        </Group>
      ),
    },
    {
      header: text.email,
      isFilling: true,
      cell: ({ email }) => <LineText title={email}>{email}</LineText>,
    },
    { header: text.role, isWhole: true, cell: ({ role }) => <RoleName role={role} /> },
    ...(may('members:manage')
      ? [
          {
            header: text.lastSignIn,
            isWhole: true,
            cell: ({ lastSignInAt }: Member) =>
              lastSignInAt ? <span title={dateTime(lastSignInAt)}>{date(lastSignInAt)}</span> : text.never,
          },
          {
            header: text.twoStep,
            isWhole: true,
            cell: ({ twoFactorEnabled: isOn, hasPassword }: Member) => (
              <Badge variant="dot" tt="none" color={isOn ? 'teal' : 'gray'}>
                {isOn ? text.twoStepOn : hasPassword ? text.twoStepOff : text.twoStepProvided}
              </Badge>
            ),
          },
          { header: '', cell: (member: Member) => <MemberActions member={member} /> },
        ]
      : [{ header: text.since, isWhole: true, cell: ({ createdAt }: Member) => date(createdAt) }]),
  ];
}

function Roles() {
  const text = useTexts(memberTexts);
  const names = useTexts(roleTexts);
  const abouts = useTexts(roleAbouts);
  return (
    <Stack gap="sm">
      <Title order={2} size="h4">
        {text.roles}
      </Title>
      <SimpleGrid cols={{ base: 1, sm: 2, lg: 4 }}>
        {roles.map((role) => (
          <Stack key={role} gap={2}>
            <Text size="sm" fw={600}>
              {names[role]}
            </Text>
            <Text size="sm" c="dimmed">
              {abouts[role]}
            </Text>
          </Stack>
        ))}
      </SimpleGrid>
    </Stack>
  );
}

export default function MembersPage() {
  const text = useTexts(memberTexts);
  const { may } = useWorkplace();
  const mayManage = may('members:manage');
  const columns = useColumns();
  const result = useServiceQuery(membersDocument, {});
  const invite = (
    <DialogButton label={text.invite} variant="filled" leftSection={<UserPlus size={16} aria-hidden />}>
      {(close) => (
        <InviteForm
          onCancel={close}
          onInvited={(email) => {
            close();
            notify(text.invited(email));
          }}
        />
      )}
    </DialogButton>
  );
  return (
    <Page title={text.title} about={text.about} actions={mayManage && invite}>
      {!mayManage && (
        <Alert color="gray" icon={<Info />}>
          {text.readOnly}
        </Alert>
      )}
      <QueryResult result={result}>
        {({ members }) => (
          <DataTable
            caption={text.title}
            columns={columns}
            rows={members}
            keyOf={({ userId }) => userId}
            empty={null}
          />
        )}
      </QueryResult>
      {mayManage && <PendingInvitations />}
      <Roles />
      <SecondFactorRoles />
    </Page>
  );
}
