import { attemptIdOf, isUuid } from '../../../base/ids.ts';
import { nationalDigits } from '../../../base/typed.ts';
import { cutTo } from '../../../base/text.ts';
import type { PixPayer } from '../pix-payer.ts';
import { codeKey } from './code-key.ts';

/** The fields that people search payments by. */
export interface SearchedFields {
  externalId: string | null;
  payerName: string | null;
  payerDocument: string | null;
  payerEmail: string | null;
  payerPhone: string | null;
  pixCopyPaste: string | null;
  txid: string | null;
  /** Who paid, where the rest of a payment is not looked up for its terms alone. */
  paidBy?: Pick<PixPayer, 'name' | 'document'> | null;
}

/** Only callers who may read payers search by `payer` terms. */
export type TermKind = 'reference' | 'payer' | 'code';

const letters = { reference: 'r', payer: 'p', code: 'c' } as const satisfies Record<TermKind, string>;

/** The stored form of a term: the kind's letter, a colon, and the beginning of a folded text. */
export const termOf = (kind: TermKind, text: string): string => `${letters[kind]}:${text}`;

/** A search for a longer text finds every term that shares this beginning. */
export const maximumTermLength = 40;
const maximumNameWords = 6;
const maximumSegments = 4;

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** Drops case, accents and compatibility forms. */
export const folded = (text: string): string =>
  (isAscii(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase().trim();

export const alphanumeric = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** The text itself and what follows each separator in it: `loja-7-42`, `7-42`, `42`. */
function fromEachSegment(text: string): string[] {
  const starts = [...text.matchAll(/(?<=[^\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => text.slice(index));
  return [text, ...starts.slice(-(maximumSegments - 1))];
}

/** Also without the area code, which people leave out, and in the form that 1.1 derived, with the zero before it. */
function phoneTerms(phone: string): string[] {
  const digits = nationalDigits(phone);
  const former = phone.replace(/\D/g, '').replace(/^55(?=\d{10,11}$)/, '');
  return digits.length === 10 || digits.length === 11 ? [digits, digits.slice(2), former] : [digits, former];
}

export const nameTerms = (name: string): string[] =>
  folded(name)
    .split(/\s+/)
    .flatMap((word) => fromEachSegment(word).map(alphanumeric))
    .filter((word) => word.length > 1)
    .slice(0, maximumNameWords);

/** A document of which a part is hidden begins with none of its digits. */
const pixPayerTerms = ({ name, document }: Pick<PixPayer, 'name' | 'document'>): string[] => [
  ...(name === null ? [] : nameTerms(name)),
  ...(document === null || document.includes('*') ? [] : [folded(document)]),
];

const referenceTerms = (reference: string): string[] =>
  // The parts of a UUID mean nothing and would make up most terms.
  isUuid(reference) ? [reference.toLowerCase()] : fromEachSegment(folded(reference));

/** Our own transaction ids are looked up directly. */
const codeTerms = (keys: readonly string[]): string[] => keys.filter((key) => attemptIdOf(key) === undefined);

/**
 * The terms that a payment is found by. Forgetting a payer deletes their terms by deriving them again, so whoever changes the
 * derivation must also delete what was derived before.
 */
export function termsOf(payment: SearchedFields): string[] {
  const { externalId, payerName, payerDocument, payerEmail, payerPhone, pixCopyPaste, txid, paidBy } =
    payment;
  const terms = new Set<string>();
  const add = (kind: TermKind, texts: readonly string[]) => {
    for (const text of texts) if (text !== '') terms.add(termOf(kind, cutTo(text, maximumTermLength)));
  };
  if (externalId !== null) add('reference', referenceTerms(externalId));
  if (payerName !== null) add('payer', nameTerms(payerName));
  if (payerDocument !== null) add('payer', [alphanumeric(folded(payerDocument))]);
  if (payerEmail !== null) add('payer', [folded(payerEmail)]);
  if (payerPhone !== null) add('payer', phoneTerms(payerPhone));
  if (paidBy) add('payer', pixPayerTerms(paidBy));
  if (pixCopyPaste !== null) add('code', codeTerms([codeKey(pixCopyPaste)]));
  if (txid !== null) add('code', codeTerms([txid.toLowerCase()]));
  return [...terms];
}
