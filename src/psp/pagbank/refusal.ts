import { z } from 'zod';
import type { PayerField } from '../../core/providers/rules/charge.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { type HttpResponse, refusal, wordOf } from '../http/http-client.ts';
import { retryAfterMs } from '../http/retry-after.ts';
import { payerRefusal } from '../kit/payer.ts';

/** Errors about an order have a word in `error` or `code`; those about a charge have a number and a word. */
const refusalBody = z.object({
  error_messages: z.array(
    z.object({
      code: z.coerce.string().nullish(),
      error: z.string().nullish(),
      description: z.string().nullish(),
      parameter_name: z.string().nullish(),
    }),
  ),
});

type Message = z.output<typeof refusalBody>['error_messages'][number];

/**
 * developer.pagbank.com.br/docs/codigos-de-erro-order, with the meanings of r-martins/PagBank-Magento2
 * (etc/ricardomartins_pagbank_error_mapping.xml).
 */
const usageExceeded = '40004';
const keyInUse = '40005';
/**
 * PagBank says so in the first minutes after a payment
 * (developer.pagbank.com.br/v1/discuss/6af575de619cc0735a2c7248).
 */
const refundUnavailable = '40008';

const payerMembers: readonly [RegExp, PayerField][] = [
  [/customer\.name/, 'name'],
  [/customer\.tax_id/, 'document'],
  [/customer\.email/, 'email'],
  [/customer\.phones?\b/, 'phone'],
];

const fieldsOf = ({ parameter_name }: Message): PayerField[] =>
  payerMembers.flatMap(([pattern, field]) => (pattern.test(parameter_name ?? '') ? [field] : []));

/** A code is a number of five digits, which a message may quote only if it cannot be anything else. */
const codeOf = ({ code, error, description }: Message): string | undefined =>
  [code, error, description].flatMap((word) => wordOf(word) ?? [])[0] ??
  (code && /^4\d{4}$/.test(code) ? `code ${code}` : undefined);

const detailOf = (message: Message): string[] => {
  const member = wordOf(message.parameter_name);
  return [codeOf(message), member && `about ${member}`].flatMap((text) => text ?? []);
};

const isNotEnabled = ({ code, error, description }: Message): boolean =>
  code === 'ACCESS_DENIED' || /(white|allow)_?list/i.test(`${error ?? ''} ${description ?? ''}`);

export function refusalOf(response: HttpResponse): PspError {
  const messages = refusalBody.safeParse(response.json).data?.error_messages ?? [];
  const codes = messages.map(({ code }) => code);
  if (response.status === 403 && messages.some(isNotEnabled)) {
    return new PspError(
      'rejected',
      'PagBank has not enabled the Orders API for this account: ask its support to do so (HTTP 403, ACCESS_DENIED)',
      { reason: 'account_not_enabled' },
    );
  }
  if (codes.includes(usageExceeded)) {
    return new PspError('rate_limited', 'too many requests for the provider (usage limit exceeded)', {
      reason: 'rate_limited',
      retryAfterMs: retryAfterMs(response.headers),
    });
  }
  // An earlier request with this key was accepted, or is still being processed.
  if (response.status === 409 || codes.includes(keyInUse)) {
    return new PspError(
      'unknown',
      'the provider has seen this request before and does not repeat its response',
    );
  }
  if (codes.includes(refundUnavailable)) {
    return new PspError('not_yet', 'PagBank does not refund this payment yet (code 40008)');
  }
  const fields = messages.flatMap(fieldsOf);
  if ([400, 422].includes(response.status) && fields.length > 0) return payerRefusal(fields);
  return refusal(response, messages.flatMap(detailOf).join(', '));
}
