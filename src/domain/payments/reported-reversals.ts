import { type Cents, cents } from '../money.ts';
import type { PspReceivedPix, PspReversal } from '../providers/psp.ts';
import type { RefundStatus } from './refund.ts';
import { isTakenBack, type KnownReversal, type ReversalStatus, sum } from './reversal.ts';

const totalPrefix = 'total:';

/** Stands in for the id of a reversal where the provider reports only how much of a Pix has left: numbered from 1. */
function totalReference(known: readonly KnownReversal[]): string {
  const numbers = known.flatMap(({ pspReference }) =>
    pspReference.startsWith(totalPrefix) ? Number(pspReference.slice(totalPrefix.length)) : [],
  );
  return `${totalPrefix}${Math.max(0, ...numbers) + 1}`;
}

export type ReportedReversal = Omit<PspReversal, 'status'> & {
  status: ReversalStatus;
  /** Of the known reversal of the same money, which the provider names otherwise now. */
  replaces?: string;
};

interface OwnRefund {
  /** The transaction id sent to the provider. */
  refundId: string;
  pspReference: string | null;
  amountInCents: Cents;
  status: RefundStatus;
}

/**
 * Some providers name a return by the second in which it was made. Of those that share a name, the one known by it keeps
 * it, in whatever order they are listed, and the others get a number.
 */
function distinctlyNamed(
  reported: readonly PspReversal[],
  known: readonly KnownReversal[],
): readonly PspReversal[] {
  const names = reported.map(({ reference }) => reference);
  if (new Set(names).size === names.length) return reported;
  const knownAmounts = new Map(known.map(({ pspReference, amountInCents }) => [pspReference, amountInCents]));
  const used = new Set<string>();
  return reported.map((reversal) => {
    const isOther = (name: string) =>
      used.has(name) || (knownAmounts.get(name) ?? reversal.amountInCents) !== reversal.amountInCents;
    let reference = reversal.reference;
    for (let number = 2; isOther(reference); number++) reference = `${reversal.reference}#${number}`;
    used.add(reference);
    return { ...reversal, reference };
  });
}

/** The reported reversals that are none of our refunds, as far as can be known now. */
function notOurs(
  reported: readonly PspReversal[],
  refunds: readonly OwnRefund[],
  known: readonly KnownReversal[],
) {
  const named = new Set(
    refunds.flatMap(({ refundId, pspReference }) => [refundId, pspReference ?? refundId]),
  );
  const isKnown = new Set(known.map(({ pspReference }) => pspReference));
  // A refund whose response was lost may be any one of its amount: which one, its own look-up will tell.
  const unnamed = refunds.filter(
    ({ status, refundId, pspReference }) =>
      status === 'pending' &&
      pspReference === null &&
      !reported.some(({ reference }) => reference === refundId),
  );
  return reported.filter(({ reference, reason, amountInCents }) => {
    if (named.has(reference)) return false;
    if (isKnown.has(reference) || isTakenBack({ reason })) return true;
    const mayBe = unnamed.findIndex((refund) => refund.amountInCents === amountInCents);
    if (mayBe >= 0) unnamed.splice(mayBe, 1);
    return mayBe < 0;
  });
}

/**
 * What a provider's report of a Pix says about reversals that were not refunds made here: new ones, changed ones,
 * and one for the money that has left without being listed. Pending refunds count as ours: what they do not explain
 * is found once they are settled.
 */
export function reversalsIn(
  { returnedInCents, reversals = [] }: Pick<PspReceivedPix, 'returnedInCents' | 'reversals'>,
  refunds: readonly OwnRefund[],
  known: readonly KnownReversal[],
): ReportedReversal[] {
  const knownAs = new Map(known.map((reversal) => [reversal.pspReference, reversal]));
  const listed = distinctlyNamed(reversals, known);
  const names = new Set(listed.map(({ reference }) => reference));
  // Known as a sum alone, or as what a chargeback took, until it is listed under a name of its own.
  const unlisted = known.filter(
    ({ status, pspReference }) => status === 'completed' && !names.has(pspReference),
  );
  const changes: ReportedReversal[] = [];
  for (const reversal of notOurs(listed, refunds, known)) {
    const { status, reference, amountInCents } = reversal;
    const earlier = knownAs.get(reference);
    if (status === 'unrecognised' || earlier?.status === status) continue;
    const same = earlier ? -1 : unlisted.findIndex((other) => other.amountInCents === amountInCents);
    const [replaced] = status === 'completed' && same >= 0 ? unlisted.splice(same, 1) : [];
    const reason = replaced && isTakenBack(replaced) ? replaced.reason : reversal.reason;
    changes.push({ ...reversal, reason, status, ...(replaced && { replaces: replaced.pspReference }) });
  }
  const replaced = new Set(changes.flatMap(({ reference, replaces }) => [reference, replaces ?? reference]));
  const completed = [
    ...known.filter(({ status, pspReference }) => status === 'completed' && !replaced.has(pspReference)),
    ...changes.filter(({ status }) => status === 'completed'),
    ...refunds.filter(({ status }) => status !== 'failed'),
  ];
  const rest = cents(returnedInCents - sum(completed));
  if (rest > 0n) {
    changes.push({
      reference: totalReference(known),
      reason: 'returned_at_psp',
      amountInCents: rest,
      status: 'completed',
      reversedAt: null,
    });
  }
  return changes;
}
