import type { Mode } from '../domain/mode.ts';
import type { PspAdapter } from '../domain/psp.ts';

/** The account at a PSP that an attempt goes to; null is the sandbox itself. */
export interface PspAccount {
  provider: string;
  credentialId: string | null;
}

/** Gives the adapter of an account; undefined when none can serve it. */
export type PspSource = (account: PspAccount) => PspAdapter | undefined;

/**
 * One source for each mode, wired apart in app.ts: the one for test keys knows the sandbox only, so that a
 * test key cannot reach a PSP whatever its settings are.
 */
export type Psps = Record<Mode, PspSource>;
