import { z } from 'zod';
import type { SettingField, SettingKind } from '../../domain/providers/setting-field.ts';

/** What JSON Schema says of a member of the settings. */
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

/** What a provider's settings hold, as its schema has it. */
export function settingFieldsOf(schema: z.ZodType): SettingField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(schema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const member = property as Member;
    return {
      name,
      kind: kindOf(member),
      isSecret: member.writeOnly === true,
      isRequired: required.includes(name),
      isFixed: member.isFixed === true,
      options: member.enum ?? [],
      defaultValue: typeof member.default === 'string' ? member.default : null,
    };
  });
}
