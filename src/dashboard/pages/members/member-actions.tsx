import { Alert, Group } from '@mantine/core';
import { useState } from 'react';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { useTexts } from '../../base/language.tsx';
import { useSession } from '../../base/use-session.ts';
import { notify, useServiceMutation } from '../../base/use-service.ts';
import { type Member, removeMemberDocument, setMemberRoleDocument } from './documents.ts';
import { RoleChoice } from './role-choice.tsx';
import { memberTexts } from './texts.ts';

function RoleForm({ member: { userId, role: current }, onClose }: { member: Member; onClose: () => void }) {
  const text = useTexts(memberTexts);
  const { me, refresh } = useSession();
  const [role, setRole] = useState(current);
  const setMemberRole = useServiceMutation(setMemberRoleDocument);
  const isMe = userId === me.id;
  const send = () => {
    setMemberRole.mutate(
      { userId, role },
      {
        onSuccess: () => {
          onClose();
          notify(text.changed);
          if (isMe) void refresh();
        },
      },
    );
  };
  return (
    <DialogForm
      submit={text.change}
      mutation={setMemberRole}
      onSubmit={send}
      onCancel={onClose}
      isDisabled={role === current}
    >
      <RoleChoice value={role} onChange={setRole} />
      {isMe && role !== current && <Alert color="yellow">{text.own}</Alert>}
    </DialogForm>
  );
}

function RemoveButton({ member: { userId, name } }: { member: Member }) {
  const text = useTexts(memberTexts);
  const remove = useServiceMutation(removeMemberDocument, text.removed);
  return (
    <ConfirmButton
      label={text.remove}
      subject={name}
      color="red"
      variant="subtle"
      mutation={remove}
      onConfirm={(close) => {
        remove.mutate({ userId }, { onSuccess: close });
      }}
    >
      {text.removeAbout(name)}
    </ConfirmButton>
  );
}

export function MemberActions({ member }: { member: Member }) {
  const text = useTexts(memberTexts);
  const { me } = useSession();
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <DialogButton label={text.change} subject={member.name} title={text.changeOf(member.name)} size="xs">
        {(close) => <RoleForm member={member} onClose={close} />}
      </DialogButton>
      {member.userId !== me.id && <RemoveButton member={member} />}
    </Group>
  );
}
