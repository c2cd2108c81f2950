import { nationalDigits } from '../../base/typed.ts';

/** What identifies a payer, in every spelling that their payments have. */
export interface Person {
  documents: readonly string[];
  names: readonly string[];
  emails: readonly string[];
  phones: readonly string[];
}

/** Finds a person's data in text that somebody else wrote. */
export interface Traces {
  /** Puts the pseudonym in place of document, e-mail address, phone number and full name. */
  replaceIn(text: string): string;
  /** Does so in every string of JSON, and for numbers that are the document or phone number. The rest stays as it is. */
  replaceInJson(json: string): string;
  /** Whether the text has the document, e-mail address or phone number. Names do not count: others may have the same. */
  occurIn(text: string): boolean;
}

const marks = /\p{M}/gu;

/** Drops case and accents, and leaves each character where it was. */
const folded = (text: string): string =>
  Array.from(text, (character) => {
    const plain = character.normalize('NFD').replace(marks, '').toLowerCase();
    return plain.length === character.length ? plain : character;
  }).join('');

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, String.raw`\$&`);

/** Matches the characters with any number of those `between` them. */
const spaced = (characters: string, between: string): string =>
  Array.from(characters, escaped).join(`[${between}]*`);

/** A whole word, so that the digits of an id are not taken for a document. */
const word = (pattern: string): string => String.raw`(?<![\p{L}\p{N}])${pattern}(?![\p{L}\p{N}])`;

const minimumNameLength = 3;
const minimumPhoneDigits = 8;

const digitsOf = (text: string): string => text.replace(/\D/g, '');

const withoutPunctuation = (document: string): string => document.replace(/[./ -]/g, '');

const documentPattern = (document: string): string =>
  word(spaced(folded(withoutPunctuation(document)), './ -'));

const phonePattern = (phone: string): string =>
  word(String.raw`(?:\+?55[ ().-]*)?\(?0?${spaced(nationalDigits(phone), ' ().-')}`);

const emailPattern = (email: string): string =>
  String.raw`(?<![\p{L}\p{N}.+_-])${escaped(folded(email.normalize('NFC')))}(?![\p{L}\p{N}_-]|\.[\p{L}\p{N}])`;

const namePattern = (name: string): string =>
  word(
    folded(name.normalize('NFC'))
      .trim()
      .split(/\s+/)
      .map(escaped)
      .join(String.raw`\s+`),
  );

const anyOf = (patterns: readonly string[]): RegExp | undefined =>
  patterns.length === 0 ? undefined : new RegExp([...new Set(patterns)].join('|'), 'gu');

/**
 * Strings, member names included, and numbers of JSON. Providers send bodies that are none: there a string ends where the text
 * does at the latest, so that no text is read twice.
 */
const tokens = /"[^"\\]*(?:\\[^][^"\\]*)*(?:"|\\?$)|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g;

/** Undefined for what only looks like a string of JSON. */
function textOf(token: string): string | undefined {
  try {
    return JSON.parse(token) as string;
  } catch {
    return undefined;
  }
}

/** A JSON text may have been written with `\u00e9`, and with `\/` in a CNPJ. */
const unescaped = (text: string): string =>
  text
    .replace(/\\u([0-9a-f]{4})/gi, (_, code: string) => String.fromCharCode(parseInt(code, 16)))
    .replaceAll(String.raw`\/`, '/');

export function tracesOf({ documents, names, emails, phones }: Person, pseudonym: string): Traces {
  const longPhones = phones.filter((phone) => nationalDigits(phone).length >= minimumPhoneDigits);
  const identifying = [
    ...emails.map(emailPattern),
    ...documents.map(documentPattern),
    ...longPhones.map(phonePattern),
  ];
  const isName = (name: string) => name.trim().length >= minimumNameLength;
  const identity = anyOf(identifying);
  const everything = anyOf([...identifying, ...names.filter(isName).map(namePattern)]);
  /** Numbers have no leading zeros. */
  const numbers = new Set(
    [
      ...documents.map(withoutPunctuation),
      ...longPhones.flatMap((phone) => [nationalDigits(phone), digitsOf(phone)]),
    ].map((digits) => digits.replace(/^0+/, '')),
  );

  function replaceIn(text: string): string {
    if (!everything) return text;
    const composed = text.normalize('NFC');
    const found = [...folded(composed).matchAll(everything)];
    if (found.length === 0) return text;
    let end = 0;
    const kept = found.map((match) => {
      const before = composed.slice(end, match.index);
      end = match.index + match[0].length;
      return before + pseudonym;
    });
    return kept.join('') + composed.slice(end);
  }

  return {
    replaceIn,

    replaceInJson: (json) =>
      json.replace(tokens, (token) => {
        if (!token.startsWith('"')) return numbers.has(token) ? JSON.stringify(pseudonym) : token;
        const text = textOf(token);
        if (text === undefined) return replaceIn(token);
        const without = replaceIn(text);
        return without === text ? token : JSON.stringify(without);
      }),

    occurIn(text) {
      if (!identity) return false;
      identity.lastIndex = 0;
      return identity.test(folded(unescaped(text).normalize('NFC')));
    },
  };
}
