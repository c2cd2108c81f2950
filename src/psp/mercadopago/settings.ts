import { z } from 'zod';
import { apiUrl, secretText } from '../kit/settings.ts';

export const mercadoPagoSettings = z.strictObject(
  {
    /** The token of the account or of a test user; the host is the same for both. */
    accessToken: secretText,
    /** Signs the notifications of the application's webhooks. Shown once their URL is saved, which the credential has. */
    webhookSecret: secretText.meta({ comesWithWebhook: true }).optional(),
    /** Mercado Pago requires an address, which not all payers have. */
    payerEmailFallback: z.email('must be an e-mail address').optional(),
    baseUrl: apiUrl.prefault('https://api.mercadopago.com'),
  },
  'must be an object',
);

export type MercadoPagoSettings = z.output<typeof mercadoPagoSettings>;
