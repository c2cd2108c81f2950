export const documentTypes = ['application/pdf', 'image/png', 'image/jpeg'] as const;

export type DocumentType = (typeof documentTypes)[number];

export const maximumDocuments = 5;
/** Of all documents of a defence together. */
export const maximumBytes = 10_000_000;

const daysKept = 90;

/** When the documents of a dispute that ended are deleted. */
export const documentsEndAt = (closedAt: Date): Date => new Date(closedAt.getTime() + daysKept * 86_400_000);

/** What a defence is supported by. */
export interface DisputeDocument {
  id: string;
  name: string;
  mediaType: DocumentType;
  bytes: number;
}

const signatures: readonly [DocumentType, Buffer][] = [
  ['application/pdf', Buffer.from('%PDF-')],
  ['image/png', Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a])],
  ['image/jpeg', Buffer.from([0xff, 0xd8, 0xff])],
];

/** What the content is, whatever its name says. Undefined for anything that a defence cannot have. */
export const typeOfDocument = (content: Buffer): DocumentType | undefined =>
  signatures.find(([, start]) => content.subarray(0, start.length).equals(start))?.[0];
