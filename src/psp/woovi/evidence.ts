import type { DisputeAnswerRequest } from '../../core/providers/rules/charge.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { sendAnswer } from '../kit/outcome.ts';
import type { WooviClient } from './client.ts';
import type { WooviEvidence } from './wire-format.ts';

/** Sends the documents of a defence (woovibr/woovi-developers, docs/disputa/how-add-new-evidence-in-evidence.md). */
export async function sendEvidence(
  client: WooviClient,
  { documents, statement, isRepeat }: DisputeAnswerRequest,
  findPix: () => Promise<string | null | undefined>,
  signal: AbortSignal,
): Promise<void> {
  async function send(): Promise<void> {
    const endToEndId = await findPix();
    const dispute = endToEndId ? await client.findDispute(endToEndId, signal) : undefined;
    if (!endToEndId || !dispute) throw new PspError('rejected', 'Woovi has no such dispute');
    const evidence: WooviEvidence[] = [];
    for (const [index, document] of documents.entries()) {
      const { id: correlationID, name } = document;
      const fileId = await client.upload(document, signal);
      // There is no other place for what is said.
      evidence.push({ fileId, description: index === 0 ? statement : name, correlationID });
    }
    await client.addEvidence(dispute.id ?? endToEndId, evidence, signal);
  }

  await sendAnswer(send, {
    isRepeat,
    // Nothing shows the evidence of a dispute, but a correlationID is used once.
    hasArrived: ({ message }) =>
      Promise.resolve((isRepeat && message.includes('correlationID')) || undefined),
  });
}
