import { type Operation, mapAdapter } from './rules/map-adapter.ts';
import type { PspAdapter } from './rules/psp.ts';
import { PspError } from './rules/psp-error.ts';
import type { Unread } from './unreadable-responses.ts';

/** These are about the account, whose owner sees at once what went wrong. */
const accountOperations: readonly Operation[] = ['signIn', 'findWebhook', 'registerWebhook'];

/** Empty for a list, which is about no charge in particular. */
const transactionIdOf = (subject: unknown): string =>
  (subject as Partial<{ transactionId: string }>).transactionId ?? '';

/** The same adapter, which also passes on the responses that it could not read or believe. */
export const keepUnreadable = (
  adapter: PspAdapter,
  keep: (unread: Omit<Unread, 'credentialId'>) => void,
): PspAdapter =>
  mapAdapter(adapter, async ({ operation, subject, signal, make }) => {
    try {
      return await make(signal);
    } catch (error) {
      if (error instanceof PspError && error.response && !accountOperations.includes(operation)) {
        const { message: problem, response } = error;
        keep({ operation, transactionId: transactionIdOf(subject), problem, response });
      }
      throw error;
    }
  });
