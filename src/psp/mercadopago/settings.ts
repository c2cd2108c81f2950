import { z } from 'zod';
import { apiUrl, secretText } from '../kit/settings.ts';

export const mercadoPagoSettings = z.strictObject(
  {
    /** Of the account, or of a test user: the token decides which, the host is the same. */
    accessToken: secretText,
    /** Of the application's webhooks: what its notifications are signed with. */
    webhookSecret: secretText,
    /** For payers without an e-mail, which Mercado Pago demands. */
    payerEmailFallback: z.email('must be an e-mail address').optional(),
    baseUrl: apiUrl.prefault('https://api.mercadopago.com'),
  },
  'must be an object',
);

export type MercadoPagoSettings = z.output<typeof mercadoPagoSettings>;
