import type { Queryable } from '../../../database/database.ts';
import type { DisputeDocument } from '../rules/documents.ts';

/** Its name and content are sealed with its id. */
interface ListedDocument extends Omit<DisputeDocument, 'name'> {
  sealedName: string;
}

interface StoredDocument extends ListedDocument {
  sealedContent: string;
}

const fields = { id: true, sealedName: true, mediaType: true, bytes: true } as const;

export async function insertDocuments(
  tx: Queryable,
  disputeId: string,
  documents: readonly StoredDocument[],
): Promise<void> {
  await tx.disputeDocument.createMany({ data: documents.map((each) => ({ ...each, disputeId })) });
}

/** Lists them in the order in which they were given. */
export async function listDocuments(db: Queryable, disputeId: string): Promise<ListedDocument[]> {
  const rows = await db.disputeDocument.findMany({
    where: { disputeId },
    select: fields,
    orderBy: { id: 'asc' },
  });
  return rows as ListedDocument[];
}

export async function listDocumentsWithContent(db: Queryable, disputeId: string): Promise<StoredDocument[]> {
  const rows = await db.disputeDocument.findMany({
    where: { disputeId },
    select: { ...fields, sealedContent: true },
    orderBy: { id: 'asc' },
  });
  return rows as StoredDocument[];
}

export async function findDocument(
  db: Queryable,
  disputeId: string,
  id: string,
): Promise<StoredDocument | undefined> {
  const row = await db.disputeDocument.findUnique({
    where: { id, disputeId },
    select: { ...fields, sealedContent: true },
  });
  return (row as StoredDocument | null) ?? undefined;
}

export async function deleteDocuments(tx: Queryable, disputeId: string): Promise<void> {
  await tx.disputeDocument.deleteMany({ where: { disputeId } });
}
