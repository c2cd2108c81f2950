import type { PspAdapter } from './rules/psp.ts';
import { PspError } from './rules/psp-error.ts';
import type { Unread } from './unreadable-responses.ts';

/** The same adapter, which passes on the responses that it could not read or believe. */
export function keepUnreadable(
  adapter: PspAdapter,
  keep: (unread: Omit<Unread, 'credentialId'>) => void,
): PspAdapter {
  async function watch<T>(
    operation: Unread['operation'],
    { transactionId }: { transactionId: string },
    call: () => Promise<T>,
  ): Promise<T> {
    try {
      return await call();
    } catch (error) {
      if (error instanceof PspError && error.response) {
        keep({ operation, transactionId, problem: error.message, response: error.response });
      }
      throw error;
    }
  }

  const { listReceived, listStatement, listCharges } = adapter;
  /** A list is about no charge in particular. */
  const none = { transactionId: '' };
  return {
    ...adapter,
    createCharge: (request, signal) =>
      watch('createCharge', request, () => adapter.createCharge(request, signal)),
    findCharge: (ids, signal) => watch('findCharge', ids, () => adapter.findCharge(ids, signal)),
    cancelCharge: (ids, signal) => watch('cancelCharge', ids, () => adapter.cancelCharge(ids, signal)),
    refundCharge: (request, signal) =>
      watch('refundCharge', request, () => adapter.refundCharge(request, signal)),
    findRefund: (request, signal) => watch('findRefund', request, () => adapter.findRefund(request, signal)),
    ...(listReceived && {
      listReceived: (...list) => watch('listReceived', none, () => listReceived(...list)),
    }),
    ...(listStatement && {
      listStatement: (...list) => watch('listStatement', none, () => listStatement(...list)),
    }),
    ...(listCharges && {
      listCharges: (...list) => watch('listCharges', none, () => listCharges(...list)),
    }),
  };
}
