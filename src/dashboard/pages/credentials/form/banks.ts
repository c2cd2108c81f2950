import type { Mode } from '../../../../core/base/mode.ts';
import type { Language } from '../../../base/language.tsx';
import type { ProviderSettings } from '../base/documents.ts';

/** People choose a bank with a preset of its own, or a provider. */
export interface Bank {
  /** Unique among banks. */
  value: string;
  label: string;
  provider: string;
  /** Empty where the provider has no preset for the bank. */
  preset: string;
  /** The page below /docs/going-live with its steps; banks without one find what all have in common. */
  guide: string;
  /** Set if somebody has seen it work there. */
  verified: ProviderSettings['verified'][number] | undefined;
}

const valueOf = (provider: string, preset: string): string => `${provider}/${preset}`;

/** A provider with presets is offered as each of them, and as itself for any other bank. The sandbox takes no live payments. */
export function banksOf(
  providers: readonly ProviderSettings[],
  { mode, language, other }: { mode: Mode; language: Language; other: (name: string) => string },
): Bank[] {
  return providers.flatMap(({ provider, displayName, verified, fields }) => {
    if (provider === 'sandbox' && mode === 'live') return [];
    const presets = fields.find(({ name }) => name === 'preset');
    const verifiedWith = (preset: string | null) => verified.find((each) => each.preset === preset);
    const itself = { value: valueOf(provider, ''), provider, preset: '', verified: verifiedWith(null) };
    if (!presets) return [{ ...itself, label: displayName, guide: provider }];
    const each = presets.options.map((preset, place) => {
      const label = presets.optionLabels[place]?.[language] ?? preset;
      return {
        value: valueOf(provider, preset),
        label,
        provider,
        preset,
        guide: preset,
        verified: verifiedWith(preset),
      };
    });
    return [...each, { ...itself, label: other(displayName), guide: '' }];
  });
}
