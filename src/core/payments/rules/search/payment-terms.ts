import { attemptIdOf, isUuid } from '../../../base/ids.ts';
import { nationalDigits } from '../../../base/typed.ts';
import { cutTo } from '../../../base/text.ts';
import { codeKey } from './code-key.ts';

/** The fields of a payment that people search in. */
export interface SearchedFields {
  externalId: string | null;
  payerName: string | null;
  payerDocument: string | null;
  payerEmail: string | null;
  payerPhone: string | null;
  pixCopyPaste: string | null;
}

/** Terms of a payer are only for callers who may read payers. */
export type TermKind = 'reference' | 'payer' | 'code';

const letters = { reference: 'r', payer: 'p', code: 'c' } as const satisfies Record<TermKind, string>;

/** Terms are stored so: the kind's letter, a colon, and the beginning of a folded text. */
export const termOf = (kind: TermKind, text: string): string => `${letters[kind]}:${text}`;

/** A search for more than the stored beginning finds what begins so. */
export const maximumTermLength = 40;
const maximumNameWords = 6;
const maximumSegments = 4;

const isAscii = (text: string): boolean => !/[^\0-\x7f]/.test(text);

/** Drops case, accents and compatibility forms. */
export const folded = (text: string): string =>
  (isAscii(text) ? text : text.normalize('NFKD').replace(/\p{M}/gu, '')).toLowerCase().trim();

export const alphanumeric = (text: string): string => text.replace(/[^\p{L}\p{N}]/gu, '');

/** The text, and what follows each separator in it: `loja-7-42`, `7-42`, `42`. */
function fromEachSegment(text: string): string[] {
  const starts = [...text.matchAll(/(?<=[^\p{L}\p{N}])[\p{L}\p{N}]/gu)].map(({ index }) => text.slice(index));
  return [text, ...starts.slice(-(maximumSegments - 1))];
}

/** Also without the area code, as people may leave it out; and as derived by 1.1, with the zero before it. */
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

const referenceTerms = (reference: string): string[] =>
  // The parts of a UUID say nothing, and would make most of all terms.
  isUuid(reference) ? [reference.toLowerCase()] : fromEachSegment(folded(reference));

/** Our own transaction ids are found as such. */
const codeTerms = (code: string): string[] => {
  const key = codeKey(code);
  return attemptIdOf(key) === undefined ? [key] : [];
};

/**
 * The terms that a payment is found by. Forgetting a payer deletes those of their payments by deriving them again: whoever
 * changes what is derived has to delete what was derived before.
 */
export function termsOf(payment: SearchedFields): string[] {
  const { externalId, payerName, payerDocument, payerEmail, payerPhone, pixCopyPaste } = payment;
  const terms = new Set<string>();
  const add = (kind: TermKind, texts: readonly string[]) => {
    for (const text of texts) if (text !== '') terms.add(termOf(kind, cutTo(text, maximumTermLength)));
  };
  if (externalId !== null) add('reference', referenceTerms(externalId));
  if (payerName !== null) add('payer', nameTerms(payerName));
  if (payerDocument !== null) add('payer', [alphanumeric(folded(payerDocument))]);
  if (payerEmail !== null) add('payer', [folded(payerEmail)]);
  if (payerPhone !== null) add('payer', phoneTerms(payerPhone));
  if (pixCopyPaste !== null) add('code', codeTerms(pixCopyPaste));
  return [...terms];
}
