export const documentTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;

export type DocumentType = (typeof documentTypes)[number];

export const maximumDocuments = 5;
/** Limits all documents of a defence together. */
export const maximumBytes = 10_000_000;

/** How long statement and documents are kept once their dispute has ended. */
export const daysKept = 90;

/** When the documents of a dispute that ended are deleted. */
export const documentsEndAt = (closedAt: Date): Date => new Date(closedAt.getTime() + daysKept * 86_400_000);

/** What a defence is supported by. */
export interface DisputeDocument {
  id: string;
  name: string;
  mediaType: DocumentType;
  bytes: number;
}

/** How each begins: `%PDF-` and so on. The dashboard has no Buffer. */
const signatures: readonly [DocumentType, readonly number[]][] = [
  ['application/pdf', [0x25, 0x50, 0x44, 0x46, 0x2d]],
  ['image/png', [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]],
  ['image/jpeg', [0xff, 0xd8, 0xff]],
];

/** What the content is, whatever its name says. Undefined for anything that a defence cannot have. */
export const typeOfDocument = (content: Uint8Array): DocumentType | undefined =>
  signatures.find(([, start]) => start.every((byte, index) => content[index] === byte))?.[0];
