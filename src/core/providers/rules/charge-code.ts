import { type BrCode, BrCodeError } from '@pix-service/br-code';
import { attemptIdOf } from '../../base/ids.ts';
import type { ChargeRequest } from './charge.ts';

/** Whatever a code states of its charge must match ours, because payers see it and pay that amount. */
export function assertCodeOf(
  code: BrCode,
  { amountInCents, transactionId, due }: Pick<ChargeRequest, 'amountInCents' | 'transactionId' | 'due'>,
): void {
  const [stated, name] = [code.get('54'), code.get('62-05')];
  // A code with no amount, or with 0, leaves it to the charge behind its address (Manual do BR Code, ID 54).
  // With a due date it depends on the day, and only the charge tells it.
  const isOurAmount =
    due !== null || stated === undefined || Number(stated) === 0 || isAmount(stated, amountInCents);
  if (!isOurAmount) throw new BrCodeError('54 is not the amount of the charge');
  // Providers use names of their own here, but one in our format can only be another charge of ours.
  if (name !== undefined && attemptIdOf(name) !== undefined && name !== transactionId)
    throw new BrCodeError('62-05 names another charge');
}

function isAmount(text: string, amountInCents: bigint): boolean {
  const [, whole, decimals = ''] = /^(\d{1,10})(?:\.(\d{0,2}))?$/.exec(text) ?? [];
  return whole !== undefined && BigInt(whole + decimals.padEnd(2, '0')) === amountInCents;
}
