import type { EventServices } from '../events/wire.ts';
import type { ProviderServices } from '../providers/wire.ts';
import type { Base } from '../wiring/base.ts';
import type { UnmatchedPix } from './recording/unmatched-pix.ts';
import { createSettlement } from './settlement.ts';
import { createSweeper } from './sweep.ts';
import { createWatchedPayments } from './watched-payments.ts';

export type SettlementServices = ReturnType<typeof wireSettlement>;

export function wireSettlement(
  base: Base & EventServices & ProviderServices & { unmatchedPix: UnmatchedPix },
) {
  const settlement = createSettlement(base);
  return {
    settlement,
    sweeper: createSweeper({ ...base, settlement }),
    watched: createWatchedPayments(base),
  };
}
