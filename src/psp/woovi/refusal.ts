import { z } from 'zod';
import type { PayerField } from '../../core/providers/rules/charge.ts';
import type { PspError } from '../../core/providers/rules/psp-error.ts';
import { type HttpResponse, refusal, wordOf } from '../http/http-client.ts';
import { payerRefusal } from '../kit/payer.ts';
import { ifReadable } from '../kit/response.ts';

/** Few refusals have a code. */
const refusalBody = z.object({ error: z.string(), errorCode: ifReadable(z.string()) });

const errorOf = ({ json }: HttpResponse): string => refusalBody.safeParse(json).data?.error ?? '';

/** Woovi reports this with 400 as well as 404; other errors of a GET with our id concern the credential. */
export const isNotFound = (response: HttpResponse): boolean =>
  response.status === 404 ||
  (response.status === 400 && /not found|n[ãa]o encontrad/i.test(errorOf(response)));

/** Woovi returns only prose, which may quote the payer, so only the fields that it mentions are reported. */
const payerWords: readonly [RegExp, PayerField][] = [
  [/tax ?id|cpf|cnpj/i, 'document'],
  [/e-?mail/i, 'email'],
  [/phone|telefone|celular/i, 'phone'],
];

const otherWords: readonly [RegExp, string][] = [
  [/correlation ?id/i, 'correlationID'],
  [/expires/i, 'expiresIn'],
  [/valor|value/i, 'value'],
  [/pix/i, 'pix'],
];

export function refusalOf(response: HttpResponse): PspError {
  const error = errorOf(response);
  const fields = payerWords.flatMap(([pattern, field]) => (pattern.test(error) ? [field] : []));
  if (response.status === 400 && fields.length > 0) return payerRefusal(fields);
  const words = otherWords.flatMap(([pattern, word]) => (pattern.test(error) ? [word] : []));
  const code = wordOf(refusalBody.safeParse(response.json).data?.errorCode);
  return refusal(response, code ?? (words.length > 0 ? `about ${words.join(', ')}` : undefined));
}
