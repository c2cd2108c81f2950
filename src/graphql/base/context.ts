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
  /** Taken from the `Idempotency-Key` header. */
  idempotencyKey: string | undefined;
  /** The keys that mutations of this document have used so far. */
  usedKeys: Set<string>;
  /** Written for people who follow the requests of the key. */
  notes: OperationNotes;
}
