import { z } from 'zod';
import type { PayerField } from '../../core/providers/rules/charge.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { type HttpResponse, refusal, wordOf } from '../http/http-client.ts';
import { payerRefusal } from '../kit/payer.ts';

const refusalBody = z.object({
  error: z.string().nullish(),
  cause: z
    .array(z.object({ code: z.union([z.int(), z.string()]).nullish(), description: z.string().nullish() }))
    .catch([]),
});

/** 2067: invalid user identification number. */
const payerCodes: Readonly<Record<string, PayerField>> = { '2067': 'document' };

/** Our names of the fields that a description mentions; the description itself may quote the payer. */
const payerMembers: readonly [RegExp, PayerField][] = [
  [/payer\.email/i, 'email'],
  [/payer\.identification|identification number/i, 'document'],
  [/payer\.(first|last)_name/i, 'name'],
];

/** Not a valid URL, or longer than 500 characters (mercadopago.com.br/developers, errors of the Payments API). */
const notificationUrlCodes = ['4020', '4021'];

export function refusalOf(response: HttpResponse): PspError {
  // The key is or was in use by another request, which may have created the payment.
  if (response.status === 409)
    return new PspError('unknown', 'the provider is still processing an earlier request');
  const { data } = refusalBody.safeParse(response.json);
  const causes = data?.cause ?? [];
  const fields = causes.flatMap(({ code, description }) => [
    ...Object.entries(payerCodes).flatMap(([known, field]) => (known === String(code) ? [field] : [])),
    ...payerMembers.flatMap(([pattern, field]) => (pattern.test(description ?? '') ? [field] : [])),
  ]);
  if (response.status === 400 && fields.length > 0) return payerRefusal(fields);
  const refusedUrl = causes.find(({ code }) => notificationUrlCodes.includes(String(code)));
  if (refusedUrl) {
    const text =
      'Mercado Pago does not accept the notification URL: PUBLIC_URL must be an https address on the internet';
    return new PspError('rejected', `${text} (code ${refusedUrl.code})`, { reason: 'webhook_refused' });
  }
  const codes = causes.flatMap(({ code }) => (/^\d{1,4}$/.test(String(code)) ? [`code ${code}`] : []));
  return refusal(response, codes.join(', ') || wordOf(data?.error));
}
