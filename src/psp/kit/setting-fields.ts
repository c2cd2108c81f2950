import { z } from 'zod';
import type { SettingField, SettingKind } from '../../domain/providers/setting-field.ts';
import { text } from './about.ts';
import type { PspProvider } from './provider.ts';

/** A setting in JSON Schema. */
interface Member {
  enum?: readonly string[];
  default?: unknown;
  format?: string;
  contentEncoding?: string;
  contentMediaType?: string;
  writeOnly?: boolean;
  isFixed?: boolean;
}

function kindOf({ enum: options, format, contentEncoding, contentMediaType }: Member): SettingKind {
  if (options) return 'choice';
  if (contentMediaType === 'application/x-pem-file') return 'pem';
  if (contentEncoding === 'base64') return 'base64';
  if (format === 'uri') return 'url';
  return format === 'email' ? 'email' : 'text';
}

/** The settings of a provider's credentials, as its schema and its texts define them. */
export function settingFieldsOf({
  about,
  settingsSchema,
}: Pick<PspProvider, 'about' | 'settingsSchema'>): SettingField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(settingsSchema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const member = property as Member;
    const { label = text(name, name), help = null } = about.settings[name] ?? {};
    return {
      name,
      label,
      help,
      kind: kindOf(member),
      isSecret: member.writeOnly === true,
      isRequired: required.includes(name),
      isFixed: member.isFixed === true,
      options: member.enum ?? [],
      defaultValue: typeof member.default === 'string' ? member.default : null,
    };
  });
}
