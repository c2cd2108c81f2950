export const documentTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;

export type DocumentType = (typeof documentTypes)[number];

export const maximumDocuments = 5;
/** Limits all documents of a defence together. */
export const maximumBytes = 10_000_000;

/** How long statement and documents are kept once their dispute has ended. */
const daysKept = 90;

/** When statement and documents of a dispute that ended are deleted. */
export const defenceEndsAt = (closedAt: Date): Date => new Date(closedAt.getTime() + daysKept * 86_400_000);

/** What a defence is supported by. */
export interface DisputeDocument {
  id: string;
  name: string;
  mediaType: DocumentType;
  bytes: number;
}

const bytesOf = (text: string): number[] => Array.from(text, (character) => character.charCodeAt(0));

/** How each begins and ends, though more may follow. The dashboard has no Buffer. */
const signatures: readonly [DocumentType, start: readonly number[], end: readonly number[]][] = [
  ['application/pdf', bytesOf('%PDF-'), bytesOf('%%EOF')],
  ['image/png', bytesOf('\x89PNG\r\n\x1a\n'), bytesOf('IEND')],
  ['image/jpeg', [0xff, 0xd8, 0xff], [0xff, 0xd9]],
];

const has = (content: Uint8Array, part: readonly number[], at: number): boolean =>
  part.every((byte, index) => content[at + index] === byte);

function isIn(content: Uint8Array, part: readonly number[]): boolean {
  const first = part[0] ?? 0;
  for (let at = content.indexOf(first); at !== -1; at = content.indexOf(first, at + 1))
    if (has(content, part, at)) return true;
  return false;
}

/**
 * What the content is, whatever its name says. Undefined for anything that a defence cannot have, such as half a file: a defence
 * is given once.
 */
export const typeOfDocument = (content: Uint8Array): DocumentType | undefined =>
  signatures.find(([, start, end]) => has(content, start, 0) && isIn(content, end))?.[0];

const endings: Readonly<Record<DocumentType, readonly [string, ...string[]]>> = {
  'application/pdf': ['.pdf'],
  'image/png': ['.png'],
  'image/jpeg': ['.jpg', '.jpeg'],
};

/** The name that a provider is told, without a path, and with the ending of its content: some go by that. */
export function fileNameOf({ name, mediaType }: Pick<DisputeDocument, 'name' | 'mediaType'>): string {
  const last = name.split(/[/\\]/).at(-1) ?? '';
  const bare =
    last
      .replaceAll(/\p{C}+/gu, ' ')
      .replace(/^[.\s]+/, '')
      .trim() || 'documento';
  const [ending, ...others] = endings[mediaType];
  const isFitting = [ending, ...others].some((each) => bare.toLowerCase().endsWith(each));
  return isFitting ? bare : bare + ending;
}
