import type { PspAdapter } from '../../domain/providers/psp.ts';

const neverMade = { transactionId: '0'.repeat(32), reference: null };

/** For PSPs without a separate sign-in: looks up a charge that cannot exist, which an invalid credential may not do. */
export const signIn =
  (findCharge: PspAdapter['findCharge']): PspAdapter['check'] =>
  async (signal) => {
    await findCharge(neverMade, signal);
  };
