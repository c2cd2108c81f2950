import { z } from 'zod';
import type { PresetSetting, SettingField, SettingKind } from '../../core/providers/rules/setting-field.ts';
import { text } from './about.ts';
import type { PspProvider } from './provider.ts';

/** A setting in JSON Schema. */
interface Member {
  type?: string;
  enum?: readonly string[];
  default?: unknown;
  format?: string;
  contentEncoding?: string;
  contentMediaType?: string;
  writeOnly?: boolean;
  isFixed?: boolean;
  isAddress?: boolean;
  isGenerated?: boolean;
  comesWithWebhook?: boolean;
  isAdvanced?: boolean;
  unless?: SettingField['unless'];
}

const kindsOfTypes: Readonly<Record<string, SettingKind>> = {
  integer: 'number',
  number: 'number',
  boolean: 'boolean',
  object: 'pairs',
};

function kindOf({
  type = '',
  enum: options,
  format,
  contentEncoding,
  contentMediaType,
}: Member): SettingKind {
  if (options) return 'choice';
  if (contentMediaType === 'application/x-pem-file') return 'pem';
  if (contentEncoding === 'base64') return 'base64';
  if (format === 'uri') return 'url';
  if (format === 'email') return 'email';
  return kindsOfTypes[type] ?? 'text';
}

/** What holds for every preset, with the default that applies without one. */
const inCommon = (presets: readonly PresetSetting[]) => ({
  isRequired: presets.every(({ isRequired }) => isRequired),
  defaultValue: presets.find(({ preset }) => preset === null)?.defaultValue ?? null,
});

/** The settings of a provider's credentials, derived from its schema and texts. */
export function settingFieldsOf({
  about,
  settingsSchema,
  presetSettings = {},
}: Pick<PspProvider, 'about' | 'settingsSchema' | 'presetSettings'>): SettingField[] {
  const { properties = {}, required = [] } = z.toJSONSchema(settingsSchema, { io: 'input' });
  return Object.entries(properties).map(([name, property]) => {
    const member = property as Member;
    const { label = text(name, name), help = null, options: optionTexts = {} } = about.settings[name] ?? {};
    const kind = kindOf(member);
    const options = member.enum ?? [];
    const presets = presetSettings[name] ?? [];
    return {
      name,
      label,
      help,
      kind,
      isSecret: member.writeOnly === true,
      isRequired: required.includes(name) && !member.isGenerated,
      isFixed: member.isFixed === true,
      isAddress: member.isAddress ?? kind === 'url',
      isGenerated: member.isGenerated === true,
      comesWithWebhook: member.comesWithWebhook === true,
      isAdvanced: member.isAdvanced === true,
      options,
      optionLabels: options.map((option) => optionTexts[option] ?? text(option, option)),
      defaultValue: typeof member.default === 'string' ? member.default : null,
      ...(presets.length > 0 && inCommon(presets)),
      presets,
      unless: member.unless ?? null,
    };
  });
}
