// What people type or paste to find a payment, each with how many results its first page has.
import { createHash } from 'node:crypto';
import { buildDynamicBrCode } from '@pix-service/br-code';
import { transactionIdOf } from '../src/core/base/ids.ts';
import type { GrownDatabase } from './grown-database.ts';

const payee = { merchantName: 'Loja', merchantCity: 'Sao Paulo' };

/** By name; `grown-database.ts` makes the payments that they find. */
export function searchesOf({ sample, sampleId, attemptId }: GrownDatabase): Record<string, string> {
  const padded = (length: number) => String(sample).padStart(length, '0');
  const charge = createHash('md5').update(String(sample)).digest('hex');
  const location = (tail: string) => buildDynamicBrCode({ ...payee, location: `pix.example.com/qr/${tail}` });
  return {
    'its id': sampleId,
    'its reference': `order-${sample}`,
    'a part of a reference': String(sample),
    'how many references begin': `order-${String(sample).slice(0, -2)}`,
    'how all references begin': 'order',
    'a common name': 'maria',
    'a common name and a rarer one': `maria ${sample % 1_000}`,
    'a name that nobody has': 'zulmira',
    'an e-mail address': `p${sample}@example.com`,
    'a phone number': `+55 11 9${padded(8)}`,
    'a CPF': padded(11).replace(/^(...)(...)(...)(..)$/, '$1.$2.$3-$4'),
    'an end-to-end id': `E00000000${padded(23)}`,
    'a transaction id': transactionIdOf(attemptId),
    'a code with our transaction id': location(transactionIdOf(attemptId)),
    'a code with an id of the PSP': location(`c${charge}`),
    'an amount': '1,01',
  };
}
