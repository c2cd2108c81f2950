import type { PresetName } from './bacen/account/presets.ts';
import type * as registry from './registry.ts';

/** A report of `pix conformance` by somebody who has the account. */
interface Verified {
  /** `YYYY-MM-DD`. */
  day: string;
  /** Of this software. */
  version: string;
  /** Where the report was published. */
  report: string;
}

export type ProviderOrPreset = Exclude<keyof typeof registry, 'bacen' | 'sandbox'> | `bacen/${PresetName}`;

/**
 * Who has been seen to work. Of all others nobody has told: only emulators of our own were tried. Whoever adds a report runs
 * `npm run generate`, which tells it in the documentation.
 */
export const verified: Readonly<Partial<Record<ProviderOrPreset, Verified>>> = {};
