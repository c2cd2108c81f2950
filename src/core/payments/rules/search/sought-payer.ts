import { parseDocument, spellings } from '../document.ts';
import { nationalDigits, tidied } from '../../../base/typed.ts';
import { cutTo } from '../../../base/text.ts';
import {
  alphanumeric,
  folded,
  maximumTermLength,
  nameTerms,
  type SearchedFields,
  termOf,
} from './search-terms.ts';

type Payer = Pick<SearchedFields, 'payerName' | 'payerDocument' | 'payerEmail' | 'payerPhone' | 'paidBy'>;

/** The payer whose payments are asked for. */
export interface SoughtPayer {
  /** Every spelling, because documents are stored as sent. Empty when the text is no document. */
  documents: readonly string[];
  /** Term of an e-mail address or a phone number. */
  term?: string;
  /** Beginnings of terms, all of which a name must have. Empty when the text is no name. */
  words: readonly (readonly string[])[];
  is(payer: Payer): boolean;
}

const termOfPayer = (text: string): string => termOf('payer', cutTo(text, maximumTermLength));

/** Eleven digits may be a CPF as well as a mobile phone. */
function byNumber(text: string): SoughtPayer | undefined {
  const document = parseDocument(text);
  const digits = nationalDigits(text);
  const phone = /^[+\d\s()./-]+$/.test(text) && digits.length >= 8 ? digits : undefined;
  if (!document && phone === undefined) return undefined;
  return {
    documents: document ? spellings(document) : [],
    ...(phone !== undefined && { term: termOfPayer(phone) }),
    words: [],
    is: ({ payerDocument, payerPhone, paidBy }) =>
      (document !== undefined &&
        [payerDocument, paidBy?.document].some(
          (each) => each && parseDocument(each)?.value === document.value,
        )) ||
      (phone !== undefined && payerPhone !== null && nationalDigits(payerPhone) === phone),
  };
}

function byAddress(address: string): SoughtPayer {
  return {
    documents: [],
    term: termOfPayer(address),
    words: [],
    is: ({ payerEmail }) => payerEmail !== null && folded(payerEmail) === address,
  };
}

function byName(name: string): SoughtPayer | undefined {
  const beginnings = name.split(/\s+/).map(alphanumeric).filter(Boolean);
  if (beginnings.length === 0) return undefined;
  return {
    documents: [],
    words: beginnings.map((word) => [termOfPayer(word)]),
    is: ({ payerName, paidBy }) =>
      [payerName, paidBy?.name].some((each) => {
        const words = each ? nameTerms(each) : [];
        return beginnings.every((beginning) => words.some((word) => word.startsWith(beginning)));
      }),
  };
}

/** Undefined when the text is no document, e-mail address, phone number or name. */
export function parseSoughtPayer(text: string): SoughtPayer | undefined {
  const typed = tidied(text);
  const address = folded(typed);
  return byNumber(typed) ?? (address.includes('@') ? byAddress(address) : byName(address));
}
