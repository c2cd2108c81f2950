import { TextInput } from '@mantine/core';
import { useState } from 'react';
import type { Role } from '../../../domain/roles.ts';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { useServiceMutation } from '../../shell/use-service.ts';
import { inviteMemberDocument } from './documents.ts';
import { RoleChoice } from './role-choice.tsx';

const said = texts(
  { email: 'E-mail', name: 'Nome', invite: 'Convidar' },
  { email: 'E-mail', name: 'Name', invite: 'Invite' },
);

interface Props {
  onInvited: (email: string, temporaryPassword: string) => void;
  onCancel: () => void;
}

export function InviteForm({ onInvited, onCancel }: Props) {
  const text = useTexts(said);
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const invite = useServiceMutation(inviteMemberDocument);
  const send = () => {
    invite.mutate(
      { email: email.trim(), name: name.trim(), role },
      {
        onSuccess: ({ inviteMember: { member, temporaryPassword } }) => {
          onInvited(member.email, temporaryPassword);
        },
      },
    );
  };
  return (
    <DialogForm submit={text.invite} mutation={invite} onSubmit={send} onCancel={onCancel}>
      <TextInput
        type="email"
        label={text.email}
        required
        data-autofocus
        autoComplete="off"
        value={email}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
        }}
      />
      <TextInput
        label={text.name}
        required
        autoComplete="off"
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <RoleChoice value={role} onChange={setRole} />
    </DialogForm>
  );
}
