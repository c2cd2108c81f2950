import { isValidPhoneNumber, parsePhoneNumberFromString, type PhoneNumber } from 'libphonenumber-js/max';
import { z } from 'zod';
import { parseDocument, type TaxDocument } from '../../core/payments/rules/document.ts';
import type { Payer, PayerField } from '../../core/providers/rules/charge.ts';
import type { PspCapabilities } from '../../core/providers/rules/psp.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { redactText } from '../../observability/logger.ts';
import { requirePayer } from './provider.ts';

const defaultCountry = 'BR';

/** What the PSP would reject about a required field, checked here so that callers learn it before anything is sent. */
const violations: Record<PayerField, (value: string) => string | undefined> = {
  name: () => undefined,
  document: (value) => (parseDocument(value) ? undefined : 'must be a CPF or a CNPJ'),
  email: (value) => (z.regexes.email.test(value) ? undefined : 'must be an e-mail address'),
  phone: (value) =>
    isValidPhoneNumber(value, defaultCountry) ? undefined : 'must be a valid phone number with its area code',
};

/** Fails with `rejected_payer` when a field that the PSP requires is missing or invalid. */
export function checkPayer(capabilities: PspCapabilities, payer: Payer): void {
  requirePayer(capabilities, payer);
  const violated = capabilities.needsPayer.flatMap((field) => {
    const violation = violations[field](payer[field] ?? '');
    return violation ? [`payer.${field} ${violation}`] : [];
  });
  if (violated.length > 0) throw new PspError('rejected_payer', violated.join('; '));
}

/** Undefined for an impossible number, too. A number without a country is Brazilian. */
export function phoneOf({ phone }: Payer): PhoneNumber | undefined {
  const number = phone ? parsePhoneNumberFromString(phone, defaultCountry) : undefined;
  return number?.isValid() ? number : undefined;
}

export const documentOf = ({ document }: Payer): TaxDocument | undefined =>
  document === null ? undefined : parseDocument(document);

export const isPayerField = (text: string): text is PayerField => Object.hasOwn(violations, text);

/** The PSP definitely rejected these payer fields. */
export const payerRefusal = (fields: readonly PayerField[]): PspError =>
  new PspError(
    'rejected_payer',
    `the provider rejected ${[...new Set(fields)].map((field) => `payer.${field}`).join(' and ')}`,
  );

const maximumReasonLength = 160;

const literal = (text: string): RegExp => new RegExp(text.replace(/[^\w\s]/g, '\\$&'), 'gi');

/** A PSP's prose made safe for a message: without the payer's data, or anything that looks like personal data. */
export function reasonWithoutPayer(text: string, payer: Payer): string {
  const { address, ...fields } = payer;
  const { state: _, ...named } = address ?? {};
  const values = Object.values({ ...fields, ...named }).flatMap((value) => value?.trim() || []);
  const words = values.flatMap((value) => [value, ...value.split(/\s+/).filter((word) => word.length > 2)]);
  const withoutValues = words.reduce((reason, word) => reason.replaceAll(literal(word), '[redacted]'), text);
  return redactText(withoutValues).replace(/\s+/g, ' ').trim().slice(0, maximumReasonLength);
}
