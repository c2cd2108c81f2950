import { z } from 'zod';
import type { PayerField } from '../../core/providers/rules/charge.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { type HttpResponse, refusal, wordOf } from '../http/http-client.ts';
import { payerRefusal } from '../kit/payer.ts';

const refusalBody = z.object({
  errors: z.array(z.object({ code: z.string(), description: z.string().nullish() })),
});

const payerCodes: Readonly<Record<string, PayerField>> = {
  invalid_name: 'name',
  invalid_cpfCnpj: 'document',
  invalid_email: 'email',
  invalid_mobilePhone: 'phone',
  invalid_phone: 'phone',
};

/** "A forbidden address gets HTTP 403" (docs.asaas.com/docs/whitelist-de-ips), with this code. */
const forbiddenAddress = 'not_allowed_ip';

export const codesIn = ({ json }: HttpResponse): string[] =>
  refusalBody.safeParse(json).data?.errors.map(({ code }) => code) ?? [];

export function refusalOf(response: HttpResponse): PspError {
  const codes = codesIn(response);
  const fields = codes.flatMap((code) => (Object.hasOwn(payerCodes, code) ? (payerCodes[code] ?? []) : []));
  if (response.status === 400 && fields.length > 0) return payerRefusal(fields);
  // An Asaas key has all permissions by default, so 403 is about permissions only if the body says so.
  if (response.status === 403 && (codes.length === 0 || codes.includes(forbiddenAddress))) {
    return new PspError(
      'rejected',
      "Asaas does not accept requests from this server's IP address: add it under Integrações > Mecanismos de segurança (HTTP 403)",
      { reason: 'address_not_allowed' },
    );
  }
  return refusal(response, codes.flatMap((code) => wordOf(code) ?? []).join(', '));
}

/**
 * In the first minutes after the payment Asaas refuses a refund with "tente novamente em alguns instantes", under a code
 * that it has for final refusals too.
 */
export function refundRefusalOf(response: HttpResponse): PspError {
  const { data } = refusalBody.safeParse(response.json);
  const isTooEarly = data?.errors.some(({ description }) => /tente novamente/i.test(description ?? ''));
  const refused = refusalOf(response);
  return isTooEarly && refused.failure === 'rejected' ? refused.as('not_yet') : refused;
}
