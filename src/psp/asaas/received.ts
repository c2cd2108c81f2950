import type { NotifiedCharge } from '../../core/providers/rules/charge.ts';
import type { PspAdapter } from '../../core/providers/rules/psp.ts';
import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import { notifiedCharge } from '../kit/notification.ts';
import type { AsaasClient } from './client.ts';
import { type AsaasFinancialTransaction, financialTransaction } from './wire-format.ts';

/** `PIX_TRANSACTION_CREDIT` is a Pix without a payment (docs.asaas.com, "Recuperar extrato"). */
const receivedTypes = ['PAYMENT_RECEIVED', 'PARTIAL_PAYMENT'];

const chargesOf = (lines: readonly AsaasFinancialTransaction[]): NotifiedCharge[] =>
  lines.flatMap(({ type, paymentId, pixTransactionId }) =>
    receivedTypes.includes(type) ? notifiedCharge(null, paymentId, pixTransactionId) : [],
  );

/**
 * The statement can only be asked for whole days, so it is read from the newest line back to the one that was the newest last
 * time. That works because its lines never change; `GET /payments`, which takes only days as well, would have to be read whole
 * for every sweep. Lines that arrive meanwhile shift the others towards later pages, so none is left out.
 */
export const createAsaasReceived =
  (client: Pick<AsaasClient, 'listFinancialTransactions'>): NonNullable<PspAdapter['listReceived']> =>
  async ({ since, until, bookmark }, cursor, signal) => {
    const days = { from: brasiliaDay(since), to: brasiliaDay(until) };
    const offset = Number(cursor ?? 0);
    const { items, hasMore } = await client.listFinancialTransactions(
      financialTransaction,
      days,
      offset,
      signal,
    );
    const isKnown = items.some(({ id }) => id === bookmark);
    return {
      // Lines beyond the bookmark are included, because they cost no further request.
      charges: chargesOf(items),
      nextCursor: hasMore && items.length > 0 && !isKnown ? String(offset + items.length) : null,
      bookmark: items[0]?.id ?? null,
    };
  };
