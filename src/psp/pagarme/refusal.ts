import { z } from 'zod';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { type HttpResponse, refusal, wordOf } from '../http/http-client.ts';
import { isPayerField, payerRefusal } from '../kit/payer.ts';

const refusalBody = z.object({ errors: z.record(z.string(), z.unknown()) });

/** `order.customer.phones.mobile_phone` is the payer's phone; `order.payments[0].pix` is not payer data. */
const payerMember = /customer\.(name|document|email|phone)/;

export function refusalOf(response: HttpResponse): PspError {
  // The idempotency key is in use by another request, which may have made the order.
  if (response.status === 409)
    return new PspError('unknown', 'the provider is still processing an earlier request');
  const { data } = refusalBody.safeParse(response.json);
  const members = Object.keys(data?.errors ?? {});
  const fields = members.flatMap((member) => payerMember.exec(member)?.[1] ?? []).filter(isPayerField);
  if ([400, 422].includes(response.status) && fields.length > 0) return payerRefusal(fields);
  return refusal(response, members.flatMap((member) => wordOf(member) ?? []).join(', '));
}
