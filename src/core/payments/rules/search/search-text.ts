import { isAccessKey, tidiedAccessKey } from '../access-key.ts';
import { parseDocument, spellings } from '../document.ts';
import { isEndToEndId } from '../end-to-end-id.ts';
import { nationalDigits, tidied } from '../../../base/typed.ts';
import { attemptIdOf, isUuid } from '../../../base/ids.ts';
import { type Cents, centsFromText } from '../../../base/money.ts';
import { cutTo } from '../../../base/text.ts';
import { codeKey, locationKey } from './code-key.ts';
import {
  alphanumeric,
  folded,
  maximumTermLength,
  type SearchedFields,
  termOf,
  termsOf,
} from './search-terms.ts';

/** What a text may mean. A payment is a result if one of the exact values or all of the words find it. */
export interface SearchText {
  paymentId?: string;
  /** Set when the text is one of our transaction ids. */
  attemptId?: string;
  endToEndId?: string;
  amountInCents?: Cents;
  fiscalDocument?: string;
  /** Exactly as typed; also finds the PSP's id of a charge. */
  reference: string;
  /** Every spelling, since documents are stored as sent. Empty for callers who may not read payers. */
  documents: readonly string[];
  /** Must equal a term of the payment. */
  codeTerm?: string;
  /** For each word, the beginnings of terms that it may stand for. Empty when the text is an id. */
  words: readonly (readonly string[])[];
}

const maximumWords = 8;

/** Contains nothing but digits and the punctuation of phone numbers and documents. */
const isNumeric = (text: string): boolean =>
  /^[+\d\s()./-]+$/.test(text) && text.replace(/\D/g, '').length >= 8;

function wordsIn(text: string): string[] {
  const typed = tidied(text);
  if (isNumeric(typed)) return [typed.replace(/\s/g, '')];
  return folded(text).split(/\s+/).slice(0, maximumWords);
}

function termsOfWord(word: string, seesPayers: boolean): string[] {
  const ofPayer = word.includes('@') ? [word] : [alphanumeric(word)];
  // Eleven digits with a leading zero may be a document as well as a phone number.
  if (/^[+\d()./-]{10,}$/.test(word)) ofPayer.push(nationalDigits(word));
  const texts = [
    termOf('reference', cutTo(word, maximumTermLength)),
    ...ofPayer
      .filter((text) => seesPayers && text !== '')
      .map((text) => termOf('payer', cutTo(text, maximumTermLength))),
  ];
  return [...new Set(texts)];
}

/** A URL with a path, as dynamic codes contain it. */
const isLocation = (text: string): boolean => /^(https?:\/\/)?[\w-]+(\.[\w-]+)+(:\d+)?\/\S+$/i.test(text);

function codeKeyIn(text: string): string | undefined {
  if (/^000201\d\d/.test(text)) return codeKey(text);
  return isLocation(text) ? locationKey(text) : undefined;
}

/** One that a provider gave: ours are ids of attempts. */
const isTxid = (text: string): boolean => /^[0-9A-Za-z]{8,35}$/.test(text);

/** `text` must not be empty. */
export function parseSearchText(text: string, { seesPayers }: { seesPayers: boolean }): SearchText {
  const key = codeKeyIn(text);
  const attemptId = attemptIdOf(key ?? text);
  const document = seesPayers ? parseDocument(text) : undefined;
  const accessKey = tidiedAccessKey(text);
  const isId =
    isUuid(text) ||
    attemptId !== undefined ||
    isEndToEndId(text) ||
    key !== undefined ||
    isAccessKey(accessKey);
  const codeName = key ?? (isTxid(text) ? text.toLowerCase() : undefined);
  const amountInCents = centsFromText(text);
  return {
    ...(isUuid(text) && { paymentId: text.toLowerCase() }),
    ...(attemptId !== undefined && { attemptId }),
    ...(isEndToEndId(text) && { endToEndId: text }),
    ...(amountInCents !== undefined && { amountInCents }),
    ...(isAccessKey(accessKey) && { fiscalDocument: accessKey }),
    ...(codeName !== undefined && { codeTerm: termOf('code', cutTo(codeName, maximumTermLength)) }),
    reference: text,
    documents: document ? [...new Set([text, ...spellings(document)])] : [],
    words: isId ? [] : wordsIn(text).map((word) => termsOfWord(word, seesPayers)),
  };
}

/** Whether every word begins some term of the payment. */
export function hasWords(payment: SearchedFields, words: SearchText['words']): boolean {
  if (words.length === 0) return false;
  const terms = termsOf(payment);
  return words.every((beginnings) =>
    beginnings.some((beginning) => terms.some((term) => term.startsWith(beginning))),
  );
}

/** Whether it has all the words, or is named by the text. */
export const isFoundBy = (payment: SearchedFields, { words, codeTerm }: SearchText): boolean =>
  hasWords(payment, words) || (codeTerm !== undefined && termsOf(payment).includes(codeTerm));
