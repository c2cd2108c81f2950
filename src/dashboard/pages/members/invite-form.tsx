import { useState } from 'react';
import { TextInput } from '../../ui/inputs/fields.tsx';
import type { Role } from '../../../core/base/roles.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { inviteMemberDocument } from './documents.ts';
import { RoleChoice } from './role-choice.tsx';

const messages = texts(
  { email: 'E-mail', name: 'Nome', nameAbout: 'Opcional. A pessoa pode editá-lo.', invite: 'Convidar' },
  { email: 'E-mail', name: 'Name', nameAbout: 'Optional. They can change it later.', invite: 'Invite' },
);

interface Props {
  onInvited: (email: string) => void;
  onCancel: () => void;
}

export function InviteForm({ onInvited, onCancel }: Props) {
  const text = useTexts(messages);
  const [email, setEmail] = useState('');
  const [name, setName] = useState('');
  const [role, setRole] = useState<Role>('viewer');
  const invite = useServiceMutation(inviteMemberDocument);
  const fieldError = useFieldErrors(invite.error);
  const send = () => {
    invite.mutate(
      { email: email.trim(), name: name.trim() || null, role },
      {
        onSuccess: ({ inviteMember: { invitation } }) => {
          onInvited(invitation.email);
        },
      },
    );
  };
  return (
    <DialogForm
      submit={text.invite}
      mutation={invite}
      onSubmit={send}
      onCancel={onCancel}
      fields={['email', 'name']}
    >
      <TextInput
        type="email"
        label={text.email}
        required
        data-autofocus
        autoComplete="off"
        error={fieldError('email')}
        value={email}
        onChange={(event) => {
          setEmail(event.currentTarget.value);
        }}
      />
      <TextInput
        label={text.name}
        description={text.nameAbout}
        autoComplete="off"
        error={fieldError('name')}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <RoleChoice value={role} onChange={setRole} />
    </DialogForm>
  );
}
