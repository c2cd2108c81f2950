import { TextInput } from '../../ui/inputs/fields.tsx';
import { defaultPermissions } from '../../../core/base/key-permissions.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { AllowedIps, ipsOf } from './allowed-ips.tsx';
import type { ApiKey } from './documents.ts';
import { PermissionsField } from './permissions-field.tsx';
import { KeyRateLimit, rateLimitOf } from './rate-limit.tsx';
import { limitOf, RefundLimit } from './refund-limit.tsx';

const messages = texts({ name: 'Nome' }, { name: 'Name' });

/** What is chosen for a key when it is made and can be changed later, as it is typed. */
interface KeySettings {
  name: string;
  permissions: string[];
  ips: string;
  refundLimit: number | '';
  rateLimit: string;
}

export const settingsOf = (apiKey?: ApiKey): KeySettings => ({
  name: apiKey?.name ?? '',
  permissions: [...(apiKey?.permissions ?? defaultPermissions)],
  ips: apiKey?.allowedIps.join('\n') ?? '',
  refundLimit: apiKey?.refundLimitPerDay ?? '',
  rateLimit: String(apiKey?.rateLimitPerMinute ?? ''),
});

export const inputOf = ({ name, permissions, ips, refundLimit, rateLimit }: KeySettings) => ({
  name: name.trim(),
  permissions,
  allowedIps: ipsOf(ips),
  refundLimitPerDay: limitOf(refundLimit),
  rateLimitPerMinute: rateLimitOf(rateLimit),
});

/** Those of the input. */
export const settingFields: readonly string[] = Object.keys(inputOf(settingsOf()));

interface Props {
  settings: KeySettings;
  onChange: (settings: KeySettings) => void;
  nameAbout?: string;
  fieldError: (field: string) => string | undefined;
}

export function KeySettingsInputs({ settings, onChange, nameAbout, fieldError }: Props) {
  const text = useTexts(messages);
  const change = (changed: Partial<KeySettings>) => {
    onChange({ ...settings, ...changed });
  };
  return (
    <>
      <TextInput
        label={text.name}
        description={nameAbout}
        required
        data-autofocus
        error={fieldError('name')}
        value={settings.name}
        onChange={({ currentTarget }) => {
          change({ name: currentTarget.value });
        }}
      />
      <PermissionsField
        value={settings.permissions}
        error={fieldError('permissions')}
        onChange={(permissions) => {
          change({ permissions });
        }}
      />
      <AllowedIps
        value={settings.ips}
        error={fieldError('allowedIps')}
        onChange={(ips) => {
          change({ ips });
        }}
      />
      <RefundLimit
        value={settings.refundLimit}
        error={fieldError('refundLimitPerDay')}
        onChange={(refundLimit) => {
          change({ refundLimit });
        }}
      />
      <KeyRateLimit
        value={settings.rateLimit}
        error={fieldError('rateLimitPerMinute')}
        onChange={(rateLimit) => {
          change({ rateLimit });
        }}
      />
    </>
  );
}
