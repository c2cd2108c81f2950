import type { DisputeAnswer } from '../../disputes/rules/dispute.ts';
import type { DocumentType } from '../../disputes/rules/documents.ts';
import type { ChargeIds } from './charge.ts';

/** What is said to a claim on the money of a charge. */
export interface DisputeAnswerRequest extends ChargeIds {
  /** The PSP's id of the claim. */
  dispute: string;
  /** The Pix whose money is claimed, once it is known. */
  endToEndId: string | null;
  answer: DisputeAnswer;
  /** Empty for an acceptance. At most 1,000 characters. */
  statement: string;
  /** At most five, of 10 MB together. */
  documents: readonly {
    /** Ours, the same whenever it is sent. */
    id: string;
    name: string;
    mediaType: DocumentType;
    content: Buffer;
  }[];
}
