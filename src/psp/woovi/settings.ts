import { z } from 'zod';
import { apiUrl, secretText } from '../kit/settings.ts';

export const productionUrl = 'https://api.woovi.com';

export const wooviSettings = z.strictObject(
  {
    appId: secretText,
    /** Charges are at `{baseUrl}/api/v1/charge`. */
    baseUrl: apiUrl.prefault(productionUrl),
  },
  'must be an object',
);

export type WooviSettings = z.output<typeof wooviSettings>;
