import { isSamePayer } from '../../payments/rules/pix-payer.ts';
import type { PspReceivedPix } from '../../providers/rules/charge.ts';
import type { Queryable } from '../../../database/database.ts';
import { findOrganizationSettings } from '../../people/store/organization-settings.ts';
import type { LockedPayment } from '../../payments/store/payment-changes.ts';
import { findFirstReceivedPix } from '../../payments/store/received-pix.ts';
import type { SettlementChange } from '../rules/settlement.ts';
import { insertPixPayerTerms } from '../../payments/store/search-terms.ts';

type OtherPayerChange = Pick<SettlementChange, 'otherPayer' | 'returnDueAt'>;

interface NamedPix {
  pix: PspReceivedPix;
  isPayerNew: boolean;
}

/**
 * Lets payments be found by who paid them, and decides what becomes of one that somebody else than the payer asked for has paid.
 * A second Pix is a duplicate, whoever sent it.
 */
export const createRecordPayers =
  ({ now }: { now: () => Date }) =>
  async (tx: Queryable, payment: LockedPayment, received: readonly NamedPix[]): Promise<OtherPayerChange> => {
    const named = received.flatMap(({ pix, isPayerNew }) =>
      isPayerNew && pix.payer ? [{ ...pix, payer: pix.payer }] : [],
    );
    if (named.length === 0) return {};
    await insertPixPayerTerms(
      tx,
      payment,
      named.map(({ payer }) => payer),
    );
    const others = named.filter(({ payer }) => isSamePayer(payment.payerDocument, payer.document) === false);
    if (others.length === 0) return {};
    const { otherPayer } = await findOrganizationSettings(tx, payment.organizationId);
    if (otherPayer === 'ignore') return {};
    const first = await findFirstReceivedPix(tx, payment);
    if (!others.some(({ endToEndId }) => endToEndId === first?.endToEndId)) return {};
    return { otherPayer: true, ...(otherPayer === 'refund' && { returnDueAt: now() }) };
  };
