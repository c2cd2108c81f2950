import type { ResponseReader } from '../../core/base/pacing/response-limiter.ts';
import type { Caller } from '../../core/base/caller.ts';
import type { Services } from '../../core/create-services.ts';
import type { OperationNotes } from '../../transport/operation-notes.ts';

/** The context of every resolver. */
export interface GraphqlContext {
  services: Services;
  caller: Caller;
  traceId: string;
  /** Reads pages one after another while the response stays within its size limit. */
  reader: ResponseReader;
  /** Comes from the `Idempotency-Key` header. */
  idempotencyKey: string | undefined;
  /** The mutations of this document so far have used these. */
  usedKeys: Set<string>;
  /** Written for whoever follows the requests of the key. */
  notes: OperationNotes;
}
