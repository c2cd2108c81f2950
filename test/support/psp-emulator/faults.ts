import { z } from 'zod';

/** What a request to a PSP is for. `prepare` and `code`: calls that some PSPs need around the creation. */
const operations = [
  'token',
  'prepare',
  'create',
  'code',
  'find',
  'list',
  'revise',
  'cancel',
  'refund',
  'find_refund',
  'permit',
  'solicit',
  'find_recurrence',
  'end_recurrence',
  'find_debit',
  'retry_debit',
  'list_disputes',
  'upload',
  'answer',
  'webhook',
  'other',
] as const;

export type Operation = (typeof operations)[number];

const kinds = [
  /** Reads the request and never answers. */
  'hang',
  /** Reads the request and cuts the connection. */
  'reset',
  /** HTTP 500. */
  'error',
  /** HTTP 500 with XML of the gateway before the API. */
  'soap_fault',
  /** HTTP 429. */
  'busy',
  /** HTTP 302. */
  'redirect',
  /** The answer late, by `milliseconds`. */
  'slow',
  /** The response inside an object that nobody documented. */
  'wrap',
  /** Half of the JSON, in a complete answer. */
  'truncate',
  /** Half of the JSON, and the connection cut. */
  'cut',
  /** Two megabytes of JSON. */
  'oversize',
  /** A definite no: to the request, to the payer's document, to the credential. */
  'reject',
  'reject_payer',
  'reject_credential',
  /** As if there were nothing at that address, or nothing yet. */
  'not_found',
  /** What the request lets the PSP tell of recurrences and debits comes before the answer. */
  'tell_first',
  /** A Pix for the newest charge comes in before the request is carried out, and nobody is told. */
  'pay_before',
  /** The new charge is paid, and its notification delivered, before the answer. */
  'pay_first',
] as const;

export const fault = z.strictObject({
  kind: z.enum(kinds),
  /** Any when left out. */
  operation: z.enum(operations).optional(),
  /** The PSP first does what it was asked to; always so where it then gives an answer. */
  isDone: z.boolean().default(false),
  /** How many requests it hits. */
  times: z.int().positive().default(1),
  milliseconds: z.int().nonnegative().default(300),
});

export type Fault = z.output<typeof fault>;

/** What stands in line for the next requests. */
export interface Faults {
  add(next: z.input<typeof fault>): void;
  clear(): void;
  /** The first that is meant for the operation; it is used up. */
  take(operation: Operation): Fault | undefined;
}

export function createFaults(): Faults {
  let queue: Fault[] = [];
  return {
    add(next) {
      queue.push(fault.parse(next));
    },
    clear() {
      queue = [];
    },
    take(operation) {
      const found = queue.find((each) => (each.operation ?? operation) === operation);
      if (!found) return undefined;
      if (found.times > 1) queue[queue.indexOf(found)] = { ...found, times: found.times - 1 };
      else queue = queue.filter((each) => each !== found);
      return found;
    },
  };
}
