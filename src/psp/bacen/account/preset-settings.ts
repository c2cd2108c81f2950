import type { PresetSetting } from '../../../core/providers/rules/setting-field.ts';
import { type BacenPreset, type OwnSetting, presetNames, presetOf } from './presets.ts';
import type { BacenSettingName } from './settings.ts';

const everyPreset = [undefined, ...presetNames] as const;

const forEachPreset = (
  settingOf: (preset: BacenPreset) => Partial<Omit<PresetSetting, 'preset'>>,
): PresetSetting[] =>
  everyPreset.map((name) => ({
    preset: name ?? null,
    isShown: true,
    isRequired: false,
    defaultValue: null,
    ...settingOf(presetOf(name)),
  }));

/** A setting that may be left out if the preset has a default for it. */
const withDefault = (valueOf: (preset: BacenPreset) => string | undefined): PresetSetting[] =>
  forEachPreset((preset) => ({ defaultValue: valueOf(preset) ?? null }));

const jsonOf = (pairs: Readonly<Record<string, string>>): string | undefined =>
  Object.keys(pairs).length > 0 ? JSON.stringify(pairs) : undefined;

const addressOf = ({ baseUrl }: BacenPreset, urlOrPath: string | undefined): string | undefined =>
  urlOrPath && baseUrl && new URL(urlOrPath, baseUrl).href;

const ownSettingOf = (setting: OwnSetting): PresetSetting[] =>
  forEachPreset(({ ownSettings }) => ({
    isShown: ownSettings[setting] !== undefined,
    isRequired: ownSettings[setting] === 'required',
  }));

/** What the preset decides about the settings. */
export const bacenPresetSettings: Readonly<Partial<Record<BacenSettingName, PresetSetting[]>>> = {
  baseUrl: forEachPreset(({ baseUrl }) => ({ isRequired: !baseUrl, defaultValue: baseUrl ?? null })),
  tokenUrl: withDefault((preset) => addressOf(preset, preset.tokenUrl)),
  patchBaseUrl: withDefault((preset) => addressOf(preset, preset.patchBaseUrl)),
  clientAuth: withDefault(({ clientAuth }) => clientAuth),
  clientSecret: forEachPreset(({ clientAuth }) => ({
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
  appKey: ownSettingOf('appKey'),
  accountNumber: ownSettingOf('accountNumber'),
};
