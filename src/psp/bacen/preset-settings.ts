import type { PresetSetting } from '../../core/providers/rules/setting-field.ts';
import { type BacenPreset, type OwnSetting, presetNames, presetOf } from './presets.ts';
import type { BacenSettingName } from './settings.ts';

const everyPreset = [undefined, ...presetNames] as const;

const forEach = (
  settingOf: (preset: BacenPreset) => Partial<Omit<PresetSetting, 'preset'>>,
): PresetSetting[] =>
  everyPreset.map((name) => ({
    preset: name ?? null,
    isShown: true,
    isRequired: false,
    defaultValue: null,
    ...settingOf(presetOf(name)),
  }));

/** The setting may be left out where the preset gives its default. */
const withDefault = (valueOf: (preset: BacenPreset) => string | undefined): PresetSetting[] =>
  forEach((preset) => ({ defaultValue: valueOf(preset) ?? null }));

const jsonOf = (pairs: Readonly<Record<string, string>>): string | undefined =>
  Object.keys(pairs).length > 0 ? JSON.stringify(pairs) : undefined;

const addressOf = ({ baseUrl }: BacenPreset, urlOrPath: string | undefined): string | undefined =>
  urlOrPath && baseUrl && new URL(urlOrPath, baseUrl).href;

const own = (setting: OwnSetting): PresetSetting[] =>
  forEach(({ ownSettings }) => ({
    isShown: ownSettings[setting] !== undefined,
    isRequired: ownSettings[setting] === 'required',
  }));

/** What the preset decides about the settings. */
export const bacenPresetSettings: Readonly<Partial<Record<BacenSettingName, PresetSetting[]>>> = {
  baseUrl: forEach(({ baseUrl }) => ({ isRequired: !baseUrl, defaultValue: baseUrl ?? null })),
  tokenUrl: withDefault((preset) => addressOf(preset, preset.tokenUrl)),
  patchBaseUrl: withDefault((preset) => addressOf(preset, preset.patchBaseUrl)),
  clientAuth: withDefault(({ clientAuth }) => clientAuth),
  clientSecret: forEach(({ clientAuth }) => ({
    isShown: clientAuth !== 'none',
    isRequired: clientAuth !== 'none',
  })),
  tokenBody: withDefault(({ tokenBody }) => tokenBody),
  scope: withDefault(({ scope }) => scope),
  tokenQuery: withDefault(({ tokenQuery }) => jsonOf(tokenQuery)),
  query: withDefault(({ query }) => jsonOf(query)),
  headers: withDefault(({ headers }) => jsonOf(headers)),
  requestIdHeader: withDefault(({ requestIdHeader }) => requestIdHeader),
  compareKey: withDefault(({ compareKey }) => String(compareKey)),
  requestsPerMinute: withDefault(({ requestsPerMinute }) => requestsPerMinute?.toString()),
  appKey: own('appKey'),
  accountNumber: own('accountNumber'),
};
