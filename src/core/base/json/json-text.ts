/** The placeholder that stands for JsonText values while printing, and their texts in order. */
interface Printing {
  placeholder: string;
  texts: string[];
}

let printing: Printing | undefined;

/**
 * A JSON value kept as text: parsing one made of many small objects takes twenty times the memory.
 * `printJson` inserts the text unchanged; `JSON.stringify` parses it first.
 */
export class JsonText {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }

  static of(value: object): JsonText {
    return new JsonText(JSON.stringify(value));
  }

  toJSON(): unknown {
    if (!printing) return JSON.parse(this.text);
    printing.placeholder ||= crypto.randomUUID();
    printing.texts.push(this.text);
    return printing.placeholder;
  }
}

/** Does what `JSON.stringify` does, but inserts the text of each JsonText unchanged. */
export function printJson(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  // The placeholder is random and made during this call, so no value can contain it.
  const current = (printing = { placeholder: '', texts: [] } as Printing);
  try {
    const printed = JSON.stringify(value, replacer);
    if (current.texts.length === 0) return printed;
    const [head = '', ...tails] = printed.split(`"${current.placeholder}"`);
    return tails.reduce((text, tail, index) => text + current.texts[index] + tail, head);
  } finally {
    printing = undefined;
  }
}
