import { type BrCode, BrCodeError } from '@pix-service/br-code';
import { attemptIdOf } from '../../base/ids.ts';
import type { ChargeRequest } from './psp.ts';

/** What a code states of its charge must be ours: whoever pays it sees that, and pays as much. */
export function assertCodeOf(
  code: BrCode,
  { amountInCents, transactionId }: Pick<ChargeRequest, 'amountInCents' | 'transactionId'>,
): void {
  const [stated, name] = [code.get('54'), code.get('62-05')];
  // A code without an amount, or with 0, leaves it to the charge behind its address (Manual do BR Code, ID 54).
  const isOurAmount = stated === undefined || Number(stated) === 0 || isAmount(stated, amountInCents);
  if (!isOurAmount) throw new BrCodeError('54 is not the amount of the charge');
  // Providers have names of their own there; one of 32 characters of ours can only be another charge.
  if (name !== undefined && attemptIdOf(name) !== undefined && name !== transactionId)
    throw new BrCodeError('62-05 names another charge');
}

function isAmount(text: string, amountInCents: bigint): boolean {
  const [, whole, decimals = ''] = /^(\d{1,10})(?:\.(\d{0,2}))?$/.exec(text) ?? [];
  return whole !== undefined && BigInt(whole + decimals.padEnd(2, '0')) === amountInCents;
}
