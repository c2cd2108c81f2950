import { Alert, Button, Group } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { useState } from 'react';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Dialog } from '../../ui/dialog.tsx';
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
  const remove = useServiceMutation(removeMemberDocument);
  return (
    <ConfirmButton
      label={text.remove}
      subject={name}
      color="red"
      variant="subtle"
      mutation={remove}
      onConfirm={(close) => {
        remove.mutate(
          { userId },
          {
            onSuccess: () => {
              close();
              notify(text.removed);
            },
          },
        );
      }}
    >
      {text.removeAbout(name)}
    </ConfirmButton>
  );
}

export function MemberActions({ member }: { member: Member }) {
  const text = useTexts(memberTexts);
  const { me } = useSession();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <Group gap="xs" justify="flex-end" wrap="nowrap">
      <Button variant="default" size="xs" aria-label={`${text.change}: ${member.name}`} onClick={open}>
        {text.change}
      </Button>
      {member.userId !== me.id && <RemoveButton member={member} />}
      <Dialog opened={isOpen} onClose={close} title={text.changeOf(member.name)}>
        <RoleForm member={member} onClose={close} />
      </Dialog>
    </Group>
  );
}
