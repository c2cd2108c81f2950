import { useState } from 'react';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { defaultPermissions } from '../../../core/base/key-permissions.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { texts, useTexts, useTimeZone } from '../../base/language.tsx';
import { DateInput } from '../../ui/date-range/date-input.tsx';
import { dayIn, endOfDay } from '../../ui/date-range/ranges.ts';
import { latestDay } from '../../ui/date-range/typed-date.ts';
import { useServiceMutation } from '../../base/use-service.ts';
import { AllowedIps, ipsOf } from './allowed-ips.tsx';
import { createApiKeyDocument, type NewKey } from './documents.ts';
import { PermissionsField } from './permissions-field.tsx';
import { KeyRateLimit, rateLimitOf } from './rate-limit.tsx';
import { limitOf, RefundLimit } from './refund-limit.tsx';

const messages = texts(
  {
    name: 'Nome',
    nameAbout: 'Onde a chave será usada, por exemplo: servidor da loja.',
    expires: 'Válida até',
    expiresAbout: 'Até o fim deste dia. Sem data, vale até ser revogada.',
    create: 'Criar chave',
  },
  {
    name: 'Name',
    nameAbout: 'Where the key is used, for example: shop server.',
    expires: 'Valid until',
    expiresAbout: 'Until the end of this day. Without a date, the key is valid until revoked.',
    create: 'Create key',
  },
);

const fields = ['name', 'permissions', 'allowedIps', 'refundLimitPerDay', 'rateLimitPerMinute', 'expires'];

export function NewKeyForm({
  onCreated,
  onCancel,
}: {
  onCreated: (created: NewKey) => void;
  onCancel: () => void;
}) {
  const text = useTexts(messages);
  const timeZone = useTimeZone();
  const [name, setName] = useState('');
  const [permissions, setPermissions] = useState<string[]>([...defaultPermissions]);
  const [ips, setIps] = useState('');
  const [limit, setLimit] = useState<number | ''>('');
  const [rateLimit, setRateLimit] = useState('');
  const [lastDay, setLastDay] = useState('');
  const create = useServiceMutation(createApiKeyDocument);
  const fieldError = useFieldErrors(create.error);
  const send = () => {
    const input = {
      name: name.trim(),
      permissions,
      allowedIps: ipsOf(ips),
      refundLimitPerDay: limitOf(limit),
      rateLimitPerMinute: rateLimitOf(rateLimit),
      ...(lastDay && { expiresAt: endOfDay(lastDay, timeZone) }),
    };
    create.mutate(
      { input },
      {
        onSuccess: ({ createApiKey }) => {
          onCreated(createApiKey);
        },
      },
    );
  };
  return (
    <DialogForm submit={text.create} mutation={create} onSubmit={send} onCancel={onCancel} fields={fields}>
      <TextInput
        label={text.name}
        description={text.nameAbout}
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
      <DateInput
        label={text.expires}
        description={text.expiresAbout}
        first={dayIn(timeZone)}
        last={latestDay}
        error={fieldError('expires')}
        value={lastDay}
        onChange={setLastDay}
      />
    </DialogForm>
  );
}
