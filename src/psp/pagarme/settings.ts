import { z } from 'zod';
import { apiUrl, secretText } from '../kit/settings.ts';

export const pagarmeSettings = z.strictObject(
  {
    /** `sk_test_…` or `sk_…`: the key decides, the host is the same. */
    secretKey: secretText,
    /** Of the webhook's Basic authentication, as set in Pagar.me's dashboard. */
    webhookUser: secretText.refine((text) => !text.includes(':'), 'must not contain a colon'),
    webhookPassword: secretText,
    /** Up to the version: orders are at `{baseUrl}/orders`. */
    baseUrl: apiUrl.prefault('https://api.pagar.me/core/v5'),
  },
  'must be an object',
);

export type PagarmeSettings = z.output<typeof pagarmeSettings>;
