import { z } from 'zod';
import { apiUrl, secretText } from '../kit/settings.ts';
import { breaks, broken } from '../../core/base/problems/rules.ts';

export const pagarmeSettings = z.strictObject(
  {
    /** `sk_test_…` or `sk_…`; the host is the same for both. */
    secretKey: secretText,
    /** Username of the webhook's Basic authentication, set in Pagar.me's dashboard. */
    webhookUser: secretText.refine(
      (text) => !text.includes(':'),
      breaks('must not contain a colon', broken('no_colon')),
    ),
    webhookPassword: secretText,
    /** Including the version: orders are at `{baseUrl}/orders`. */
    baseUrl: apiUrl.prefault('https://api.pagar.me/core/v5'),
  },
  'must be an object',
);

export type PagarmeSettings = z.output<typeof pagarmeSettings>;
