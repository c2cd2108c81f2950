import type { Payer } from '../../core/providers/rules/charge.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { documentOf } from '../kit/payer.ts';
import type { CustomerBook } from '../kit/provider.ts';
import type { AsaasClient } from './client.ts';
import { customerBodyOf } from './mapping.ts';

/** Runs `work` with the id of the payer's customer at Asaas, which is created if we know of none. */
export type WithCustomer = <Result>(
  payer: Payer,
  signal: AbortSignal,
  work: (customer: string) => Promise<Result>,
) => Promise<Result>;

/** Whether Asaas refused a customer that was deleted or belongs to another account. */
const isUnknownCustomer = (error: unknown): boolean =>
  error instanceof PspError &&
  error.failure === 'rejected' &&
  /\binvalid_(customer|action)\b/.test(error.message);

/**
 * A customer whose id we do not know is created without a search: Asaas allows duplicates, and a search for each payer would
 * count against its quota.
 */
export function createWithCustomer(
  client: Pick<AsaasClient, 'createCustomer'>,
  customers: CustomerBook | undefined,
): WithCustomer {
  async function newCustomer(payer: Payer, document: string, signal: AbortSignal): Promise<string> {
    try {
      const customer = await client.createCustomer(customerBodyOf(payer), signal);
      await customers?.keep(document, customer);
      return customer;
    } catch (error) {
      // No charge can exist yet.
      if (!(error instanceof PspError) || error.failure !== 'unknown') throw error;
      throw error.as('not_sent');
    }
  }

  return async (payer, signal, work) => {
    const document = documentOf(payer)?.value ?? '';
    const known = await customers?.find(document);
    if (known !== undefined) {
      try {
        return await work(known);
      } catch (error) {
        if (!isUnknownCustomer(error)) throw error;
      }
    }
    return work(await newCustomer(payer, document, signal));
  };
}
