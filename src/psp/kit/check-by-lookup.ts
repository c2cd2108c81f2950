import type { PspAdapter } from '../../domain/providers/psp.ts';

const neverMade = { transactionId: '0'.repeat(32), reference: null };

/** For PSPs without a sign-in of their own: asks about a charge that cannot be, which a bad credential may not. */
export const signIn =
  (findCharge: PspAdapter['findCharge']): PspAdapter['check'] =>
  async (signal) => {
    await findCharge(neverMade, signal);
  };
