import type { Mode } from '../../base/mode.ts';

export interface KeyHolder {
  organizationId: string;
  mode: Mode;
  key: string;
  holder: number;
}

/** The response of an idempotent request; accepted only from the key's latest holder. */
export interface IdempotentOutcome extends KeyHolder {
  outcome: object;
}
