import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import type { LiveAccount } from '../live.ts';
import { feeInCents } from '../psp-emulator/asaas-wire.ts';
import { type EmulatedCharge, type EmulatedPix, returnedInCents } from '../psp-emulator/ledger.ts';
import { feeInReais } from '../psp-emulator/mercadopago-wire.ts';

export interface BankSums {
  pixCount: number;
  received: number;
  refunded: number | null;
  reversed: number | null;
  net: number | null;
  fee: number | null;
}

const fees: Readonly<Record<string, number>> = {
  asaas: Number(feeInCents),
  mercadopago: Math.round(feeInReais * 100),
};

const isLost = ({ details }: EmulatedCharge): boolean => details['on'] === 'chargebacksLost';

function leftOf(charge: EmulatedCharge, { endToEndId, amountInCents }: EmulatedPix) {
  const own = charge.refunds.filter((refund) => refund.endToEndId === endToEndId);
  const [all, taken] = [own, own.filter(({ reason }) => reason !== undefined)].map((refunds) =>
    Number(returnedInCents({ ...charge, refunds })),
  );
  if (!isLost(charge)) return { returned: all ?? 0, taken: taken ?? 0 };
  return { returned: Number(amountInCents), taken: Number(amountInCents) - (all ?? 0) };
}

/** What an emulated account itself holds, in BRL, by day. */
export function bankSums({ emulator }: LiveAccount): Map<string, BankSums> {
  const provider = emulator.psp.name;
  const cents = new Map<string, { pixCount: number; received: number; returned: number; taken: number }>();
  for (const charge of emulator.ledger.charges) {
    for (const pix of charge.pix) {
      const day = brasiliaDay(pix.paidAt);
      const sums = cents.get(day) ?? { pixCount: 0, received: 0, returned: 0, taken: 0 };
      const { returned, taken } = leftOf(charge, pix);
      sums.pixCount += 1;
      sums.received += Number(pix.amountInCents);
      sums.returned += returned;
      sums.taken += taken;
      cents.set(day, sums);
    }
  }
  const isTold = provider !== 'woovi';
  const fee = fees[provider];
  return new Map(
    [...cents].map(([day, { pixCount, received, returned, taken }]) => [
      day,
      {
        pixCount,
        received: received / 100,
        refunded: isTold ? (returned - taken) / 100 : null,
        reversed: isTold ? taken / 100 : null,
        net: isTold ? (received - returned) / 100 : null,
        fee: fee === undefined ? null : (fee * pixCount) / 100,
      },
    ]),
  );
}
