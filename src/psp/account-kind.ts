import type { AccountKind } from '../core/providers/rules/psp.ts';
import { type PspProvider } from './kit/provider.ts';
import { settingFieldsOf } from './kit/setting-fields.ts';
import { parseSettings } from './providers.ts';

const hostOf = (url: string): string => new URL(url).host;

/** An address other than the provider's own counts as one for testing. */
export function accountKindOf(provider: PspProvider, settings: unknown): AccountKind {
  const parsed = parseSettings(provider, settings);
  const { preset: given, baseUrl } = settings as { preset?: string; baseUrl?: string };
  const fields = settingFieldsOf(provider);
  // Only what several banks follow has presets.
  const presets = fields.find(({ name }) => name === 'preset');
  const preset = presets?.options.find((each) => each === given) ?? null;
  const about = { preset, isApiPix: presets !== undefined };
  if (provider.isTestKey?.(parsed)) return { ...about, environment: 'test' };
  const field = fields.find(({ name }) => name === 'baseUrl');
  const ownUrl = field?.presets.find((each) => each.preset === preset)?.defaultValue ?? field?.defaultValue;
  if (ownUrl == null) return { ...about, environment: 'unknown' };
  const isOwn = baseUrl === undefined || hostOf(baseUrl) === hostOf(ownUrl);
  return { ...about, environment: isOwn ? 'production' : 'test' };
}
