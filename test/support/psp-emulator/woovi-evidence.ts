import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import type { EmulatedCharge, Ledger } from './ledger.ts';
import type { Exchange, Reply, Route } from './psp.ts';
import { disputeIdOf, disputeOf, refused, type WooviSwitch } from './woovi-wire.ts';

interface StoredFile {
  id: string;
  name: string;
  type: string;
  content: string;
}

/** What supports the side of the merchant in a dispute. */
export interface EmulatedEvidence {
  description: string;
  correlationID: string;
  file: StoredFile;
}

export const evidenceOf = ({ details }: EmulatedCharge) => (details['evidence'] ?? []) as EmulatedEvidence[];

const evidenceBody = z.object({
  documents: z
    .array(z.strictObject({ fileId: z.string(), description: z.string(), correlationID: z.string().min(1) }))
    .min(1),
});

const types = ['application/pdf', 'image/png', 'image/jpeg', 'image/webp'];

/** woovibr/woovi-developers, docs/arquivos/upload-de-arquivo.md and docs/disputa/how-add-new-evidence-in-evidence.md. */
export function wooviEvidenceRoutes(ledger: Ledger, has: (name: WooviSwitch) => boolean): Route[] {
  const files = new Map<string, StoredFile>();

  async function upload({ form }: Exchange): Promise<Reply> {
    const file = form?.get('file');
    const correlationID = form?.get('correlationID');
    if (form?.get('purpose') !== 'DISPUTE_EVIDENCE') return refused('Invalid value for the field purpose');
    if (!(file instanceof File) || typeof correlationID !== 'string') return refused('Invalid file');
    if (!types.includes(file.type)) return { status: 415, body: { error: 'Invalid content type' } };
    const known = files.get(correlationID);
    const id = known?.id ?? randomBytes(12).toString('hex');
    const stored = known ?? { id, name: file.name, type: file.type, content: await file.text() };
    files.set(correlationID, stored);
    return { status: known ? 200 : 201, body: { file: { id, correlationID, fileName: stored.name } } };
  }

  function add({ parameters: [id = ''], json }: Exchange): Reply {
    const charge = ledger.findByEndToEndId(id) ?? ledger.charges.find((each) => disputeIdOf(each) === id);
    const dispute = charge && disputeOf(charge, has);
    if (!charge || !dispute) return refused('Dispute not found');
    if (has('noFileEvidence')) {
      const errorCode = 'DISPUTE_EVIDENCE_FILE_ID_NOT_ALLOWED';
      const error = 'Your account does not have the permission to send a evidence by fileId';
      return { status: 403, body: { error, errorCode } };
    }
    if (dispute.status !== 'OPENED') return refused('Dispute is not open');
    const { documents } = evidenceBody.parse(json);
    const before = evidenceOf(charge);
    // Not documented: as with refunds, whose correlationID is used once.
    if (documents.some(({ correlationID }) => before.some((each) => each.correlationID === correlationID)))
      return refused('Já existe uma evidência com o correlationID fornecido');
    const added = documents.map(({ fileId, ...each }) => {
      const file = [...files.values()].find((stored) => stored.id === fileId);
      return file && { ...each, file };
    });
    if (added.includes(undefined)) return refused('File not found');
    charge.details['evidence'] = [...before, ...added];
    const createdAt = ledger.now().toISOString();
    return { status: 200, body: { documents: documents.map((each) => ({ ...each, createdAt })) } };
  }

  return [
    { operation: 'upload', method: 'POST', path: /\/api\/v1\/files/, reply: upload },
    { operation: 'answer', method: 'POST', path: /\/api\/v1\/dispute\/([^/]+)\/evidence/, reply: add },
  ];
}
