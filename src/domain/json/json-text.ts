/** What `printJson` puts in for the texts that it meets, and the texts in their order. */
interface Printing {
  placeholder: string;
  texts: string[];
}

let printing: Printing | undefined;

/**
 * A JSON value that stays text: parsed, one of many small objects takes twenty times the memory. `printJson`
 * prints it as it is; `JSON.stringify` prints the same value, by parsing it.
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

/** As `JSON.stringify`, with the texts of each JsonText as they are. */
export function printJson(value: unknown, replacer?: (name: string, value: unknown) => unknown): string {
  // Nobody can have guessed a placeholder that is made while this prints, so no value holds it.
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
