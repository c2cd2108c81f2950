import { z } from 'zod';
import { apiUrl, secretText } from '../../kit/settings.ts';

export const asaasSettings = z.strictObject(
  {
    apiKey: secretText,
    /** The `authToken` of the webhook, sent with every notification. */
    webhookToken: secretText.meta({ isGenerated: true }),
    /** Asaas writes to it when deliveries fail. */
    webhookEmail: z.email('must be an e-mail address').optional(),
    /** Including the version: charges are at `{baseUrl}/payments`. */
    baseUrl: apiUrl.prefault('https://api.asaas.com/v3'),
  },
  'must be an object',
);

export type AsaasSettings = z.output<typeof asaasSettings>;
