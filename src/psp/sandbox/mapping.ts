import { randomInt } from 'node:crypto';
import { buildDynamicBrCode, buildRecurrenceBrCode } from '@pix-service/br-code';
import { type Cents, cents, reaisFromCents } from '../../core/base/money.ts';
import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import { amountOf, amountPartsOn } from '../../core/payments/rules/due/amount-due.ts';
import type { Charge } from '../../core/providers/rules/charge.ts';
import type { StatementPix } from '../../core/providers/rules/psp-lists.ts';
import type {
  NewSandboxCharge,
  SandboxCharge,
  SandboxEntry,
  SandboxPosition,
} from '../../core/sandbox/rules/sandbox-store.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** `E`, a participant's ISPB (this one is unassigned), the minute and eleven characters: 32 in total. */
export function newEndToEndId(paidAt: Date): string {
  const minute = paidAt.toISOString().replace(/\D/g, '').slice(0, 12);
  const random = Array.from({ length: 11 }, () => alphabet[randomInt(alphabet.length)]).join('');
  return `E99999999${minute}${random}`;
}

/** What a due date makes of the amount is not in the code, but behind its address. */
const sandboxBrCode = ({ transactionId, amountInCents, due }: NewSandboxCharge): string =>
  buildDynamicBrCode({
    location: `sandbox.pix.example/v2/${transactionId}`,
    merchantName: 'Sandbox',
    merchantCity: 'Sao Paulo',
    ...(!due && { amountInCents }),
  });

/** Permits a recurrence, and pays its first charge if there is one: template 80 beside that of the charge (API Pix, journeys 2 and 3). */
export function recurrenceBrCode(reference: string, first: SandboxCharge | undefined): string {
  const permits = `sandbox.pix.example/v2/rec/${reference.replaceAll('-', '')}`;
  return buildRecurrenceBrCode({
    recurrenceLocation: permits,
    merchantName: 'Sandbox',
    merchantCity: 'Sao Paulo',
    ...(first && { location: `sandbox.pix.example/v2/${first.transactionId}` }),
  });
}

/** With a due date it depends on the day. */
export const owedAt = ({ due, amountInCents }: SandboxCharge, at: Date): Cents =>
  due ? amountOf(amountPartsOn(brasiliaDay(at), amountInCents, due)) : amountInCents;

export function chargeOf(stored: SandboxCharge, now: Date): Charge {
  const status = () => {
    if (stored.pix.length > 0) return 'paid';
    if (stored.cancelledAt) return 'cancelled';
    return stored.expiresAt <= now ? 'expired' : 'active';
  };
  return {
    transactionId: stored.transactionId,
    reference: null,
    txid: stored.transactionId,
    status: status(),
    amountInCents: stored.amountInCents,
    pixCopyPaste: sandboxBrCode(stored),
    expiresAt: stored.expiresAt,
    receivedPix: stored.pix.map((pix, index) => ({
      ...pix,
      ...(index === 0 ? whatLeft(stored) : { returnedInCents: cents(0) }),
    })),
    disputes: stored.disputes.map((dispute) => ({ ...dispute, reason: null })),
  };
}

/** Leaves out refunds made here, which the service knows already. */
const whatLeft = ({ reversals }: SandboxCharge) => ({
  returnedInCents: cents(reversals.reduce((sum, { amountInCents }) => sum + amountInCents, 0n)),
  reversals: reversals.map((reversal) => ({ ...reversal, status: 'completed' as const })),
});

export const statementPixOf = ({
  endToEndId,
  transactionId,
  paidAt,
  ...sums
}: SandboxEntry): StatementPix => ({
  ...sums,
  reference: endToEndId,
  endToEndId,
  charge: { transactionId, reference: null },
  feeInCents: null,
  receivedAt: paidAt,
});

export const cursorOf = ({ endToEndId, paidAt }: SandboxPosition): string =>
  `${paidAt.toISOString()} ${endToEndId}`;

export function positionOf(cursor: string | null): SandboxPosition | undefined {
  const [paidAt = '', endToEndId = ''] = cursor?.split(' ') ?? [];
  return cursor === null ? undefined : { endToEndId, paidAt: new Date(paidAt) };
}

/** Has the format of the Banco Central's API Pix. */
export const notificationOf = (
  { transactionId }: NewSandboxCharge,
  { endToEndId, paidAt, amountInCents }: { endToEndId: string; paidAt: Date; amountInCents: Cents },
): string =>
  JSON.stringify({
    pix: [
      {
        endToEndId,
        txid: transactionId,
        valor: reaisFromCents(amountInCents).toFixed(2),
        horario: paidAt.toISOString(),
      },
    ],
  });
