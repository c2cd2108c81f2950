import { z } from 'zod';
import { apiUrl, secretText } from '../kit/settings.ts';

export const pagbankSettings = z.strictObject(
  {
    /** The token of the account, which also signs its notifications. */
    token: secretText,
    /** Orders are at `{baseUrl}/orders`. */
    baseUrl: apiUrl.prefault('https://api.pagseguro.com'),
  },
  'must be an object',
);

export type PagbankSettings = z.output<typeof pagbankSettings>;
