import { useState } from 'react';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { AllowedIps, ipsOf } from './allowed-ips.tsx';
import { type ApiKey, updateApiKeyDocument } from './documents.ts';
import { PermissionsField } from './permissions-field.tsx';
import { KeyRateLimit, rateLimitOf } from './rate-limit.tsx';
import { limitOf, RefundLimit } from './refund-limit.tsx';

const messages = texts(
  {
    edit: 'Editar',
    title: 'Editar chave',
    name: 'Nome',
    save: 'Salvar',
    saved: 'Chave atualizada.',
  },
  {
    edit: 'Edit',
    title: 'Edit key',
    name: 'Name',
    save: 'Save',
    saved: 'Key updated.',
  },
);

function EditForm({ apiKey, close }: { apiKey: ApiKey; close: () => void }) {
  const text = useTexts(messages);
  const update = useServiceMutation(updateApiKeyDocument, text.saved);
  const [name, setName] = useState(apiKey.name);
  const [permissions, setPermissions] = useState(apiKey.permissions);
  const [ips, setIps] = useState(apiKey.allowedIps.join('\n'));
  const [limit, setLimit] = useState<number | ''>(apiKey.refundLimitPerDay ?? '');
  const [rateLimit, setRateLimit] = useState(String(apiKey.rateLimitPerMinute ?? ''));
  const fieldError = useFieldErrors(update.error);
  const send = () => {
    update.mutate(
      {
        id: apiKey.id,
        input: {
          name: name.trim(),
          permissions,
          allowedIps: ipsOf(ips),
          refundLimitPerDay: limitOf(limit),
          rateLimitPerMinute: rateLimitOf(rateLimit),
        },
      },
      { onSuccess: close },
    );
  };
  return (
    <DialogForm
      submit={text.save}
      mutation={update}
      onSubmit={send}
      onCancel={close}
      fields={['name', 'permissions', 'allowedIps', 'refundLimitPerDay', 'rateLimitPerMinute']}
    >
      <TextInput
        label={text.name}
        required
        data-autofocus
        error={fieldError('name')}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <PermissionsField value={permissions} error={fieldError('permissions')} onChange={setPermissions} />
      <AllowedIps value={ips} error={fieldError('allowedIps')} onChange={setIps} />
      <RefundLimit value={limit} error={fieldError('refundLimitPerDay')} onChange={setLimit} />
      <KeyRateLimit value={rateLimit} error={fieldError('rateLimitPerMinute')} onChange={setRateLimit} />
    </DialogForm>
  );
}

export function EditButton({ apiKey }: { apiKey: ApiKey }) {
  const text = useTexts(messages);
  return (
    <DialogButton
      label={text.edit}
      subject={apiKey.name}
      title={text.title}
      variant="subtle"
      size="xs"
      px="xs"
    >
      {(close) => <EditForm apiKey={apiKey} close={close} />}
    </DialogButton>
  );
}
