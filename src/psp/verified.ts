import type { Verified } from '../core/providers/rules/setting-field.ts';

/**
 * Where somebody with an account has seen it work: reports of `pix conformance`, by provider. Of all others only emulators of our own
 * were tried. Whoever adds a report runs `npm run generate`, which tells it in the documentation.
 */
const verified: Readonly<Partial<Record<string, readonly Verified[]>>> = {};

export const verifiedAt = (provider: string): readonly Verified[] => verified[provider] ?? [];
