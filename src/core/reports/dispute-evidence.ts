import { z } from 'zod';
import { reaisFromCents } from '../base/money.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { notFound } from '../base/errors.ts';
import { isUuid } from '../base/ids.ts';
import { parse, withoutNulls } from '../base/parsing/parse.ts';
import type { Database } from '../../database/database.ts';
import { findDispute } from '../disputes/store/disputes.ts';
import { parseDocument } from '../payments/rules/document.ts';
import { maskedDocument } from '../payments/rules/pix-payer.ts';
import { findPayments } from '../payments/store/payments.ts';
import { paymentView } from '../payments/views/payment-view.ts';
import { tracesOf } from '../privacy/rules/person.ts';
import { findOrganization } from '../people/store/organizations.ts';
import { listWholeRefunds } from '../refunds/store/refunds.ts';
import { listReversals } from '../refunds/store/reversals.ts';
import { reversalView } from '../refunds/views/reversal-view.ts';
import { receivedPixView } from './received-pix-view.ts';
import { findCheckoutOpening, listAcceptedDeliveries } from './store/dispute-evidence.ts';
import { listReceivedPix } from './store/payment-details.ts';
import type { Evidence } from './dispute-evidence-view.ts';

const languages = ['pt', 'en'] as const;

export const evidenceQuerySchema = z.object({
  language: z
    .enum(languages, { error: 'must be pt or en' })
    .default('pt')
    .meta({ description: 'Language of the PDF.' }),
});

/** What speaks for the organization in a dispute: nothing but what the service has on record. */
export interface DisputeEvidence {
  facts(caller: Caller, disputeId: string): Promise<Evidence>;
  /** The same to be sent to a provider. */
  pdf(caller: Caller, disputeId: string, query: unknown): Promise<Buffer>;
}

/** More than a payment has, unless it is refunded in tiny amounts. */
const most = 500;

interface Dependencies {
  db: Database;
  now: () => Date;
}

export function createDisputeEvidence({ db, now }: Dependencies): DisputeEvidence {
  async function facts(caller: Caller, id: string): Promise<Evidence> {
    assertMay(caller, 'payers:read');
    const { organizationId, mode } = caller;
    const dispute = isUuid(id) ? await findDispute(db, caller, id.toLowerCase()) : undefined;
    if (!dispute) throw notFound('Dispute', id);
    const { paymentId } = dispute;
    const [payment] = await findPayments(db, [{ organizationId, mode, id: paymentId }]);
    if (!payment) throw notFound('Payment', paymentId);
    const [organization, openedAt, pix, refunds, reversals, deliveries] = await Promise.all([
      findOrganization(db, organizationId),
      findCheckoutOpening(db, paymentId),
      listReceivedPix(db, paymentId, { limit: most }),
      listWholeRefunds(db, paymentId, { limit: most }),
      listReversals(db, { paymentId }),
      listAcceptedDeliveries(db, paymentId, most),
    ]);
    const view = paymentView(payment);
    const { payerDocument, payerEmail, payerPhone } = payment;
    // That of a forgotten person is none any more.
    const document = payerDocument === null ? undefined : parseDocument(payerDocument);
    const known = (...values: (string | null)[]) => values.filter((value) => value !== null);
    const payerTraces = tracesOf(
      { documents: known(payerDocument), emails: known(payerEmail), phones: known(payerPhone), names: [] },
      '***',
    );
    return {
      preparedAt: now().toISOString(),
      receiver: organization?.name ?? '',
      dispute: {
        id: dispute.id,
        state: dispute.state,
        amount: reaisFromCents(dispute.amountInCents),
        reason: dispute.reason ?? undefined,
        openedAt: (dispute.openedAt ?? dispute.createdAt).toISOString(),
        defenceUntil: dispute.defenceUntil?.toISOString(),
      },
      payment: {
        id: view.id,
        status: view.status,
        amount: view.amount,
        description: view.description && payerTraces.replaceIn(view.description),
        externalId: view.externalId && payerTraces.replaceIn(view.externalId),
        provider: view.provider,
        txid: view.txid,
        createdAt: view.createdAt,
        checkoutOpenedAt: openedAt?.toISOString(),
        confirmedAt: view.confirmedAt,
      },
      payer: {
        name: view.payerName,
        document: document && maskedDocument(document.value),
      },
      received: pix
        .map((row) => receivedPixView(row, payment.payerDocument))
        .map(({ endToEndId, amount, paidAt, payerInstitution, paidBy, payerMatches }) => ({
          endToEndId: endToEndId ?? undefined,
          amount,
          paidAt: paidAt.toISOString(),
          name: paidBy?.name,
          document: paidBy?.documentMasked,
          institution: payerInstitution?.name ?? payerInstitution?.ispb,
          isPayer: payerMatches,
        })),
      returned: [
        ...refunds.map(({ amountInCents, status, createdAt }) => ({
          kind: 'refund' as const,
          amount: reaisFromCents(amountInCents),
          status,
          at: createdAt.toISOString(),
        })),
        ...reversals.map(reversalView).map(({ reason, amount, status, reversedAt, createdAt }) => ({
          kind: 'reversal' as const,
          reason,
          amount,
          status,
          at: reversedAt ?? createdAt,
        })),
      ],
      told: deliveries.map(({ type, url, statusCode, acceptedAt }) => ({
        event: type,
        host: new URL(url).host,
        statusCode,
        at: acceptedAt.toISOString(),
      })),
    };
  }

  return {
    facts,

    async pdf(caller, disputeId, query) {
      const { language } = parse(evidenceQuerySchema, withoutNulls(query));
      const evidence = await facts(caller, disputeId);
      // The library is large, and few need it.
      const { printEvidence } = await import('./print-evidence.ts');
      return printEvidence(evidence, language);
    },
  };
}
