import { type BrCode, BrCodeError, parseBrCode } from '@pix-service/br-code';
import { attemptIdOf } from '../../base/ids.ts';
import type { Charge, ChargeRequest } from './charge.ts';

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

/** Anchored, and as short as those of static codes (API Pix 2.9.0, `TxId` of a received Pix). */
const txid = /^[0-9A-Za-z]{1,35}$/;

function nameIn(code: string): string | undefined {
  try {
    return parseBrCode(code).get('62-05');
  } catch (error) {
    if (error instanceof BrCodeError) return undefined;
    throw error;
  }
}

/**
 * The transaction id that banks know the charge by. A static code states it; in one with an address it is `***` (Manual do
 * BR Code, ID 62-05), and only the PSP can tell it.
 */
export function txidOf({ txid: told, pixCopyPaste }: Pick<Charge, 'txid' | 'pixCopyPaste'>): string | null {
  const name = told ?? (pixCopyPaste === null ? undefined : nameIn(pixCopyPaste));
  return name !== undefined && txid.test(name) ? name : null;
}
