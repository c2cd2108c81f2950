import { z } from 'zod';
import { assertMay, type Caller, type KeyCaller } from '../base/caller.ts';
import { servedOperationSchema, type ServedRequest, servedRequestSchema } from './served-request.ts';
import type { RequestArchive } from './rules/request-archive.ts';

export const keptRequestSchema = servedRequestSchema.extend({
  /** Lacks the name that a program has given it: somebody may name operations after payers. */
  operation: servedOperationSchema.omit({ name: true }).optional().meta({ description: 'Of GraphQL.' }),
  keyId: z.uuid().meta({ description: 'The key that it came with.' }),
});

export type KeptRequest = z.output<typeof keptRequestSchema>;

export const isKeptRequest = (value: unknown): value is KeptRequest =>
  keptRequestSchema.safeParse(value).success;

/** What keys have asked for lately, without anything of a payer. */
export interface KeptRequests {
  /** Called for every request. */
  hasRoom(caller: KeyCaller, isRefused: boolean): boolean;
  add(caller: KeyCaller, isRefused: boolean, request: ServedRequest): void;
  /** Newest first: those of one key, or of all in the mode. */
  list(caller: Caller, filter: { keyId?: string | undefined; onlyRefused: boolean }): Promise<KeptRequest[]>;
}

const most = 200;

const withoutName = ({ type, fields }: NonNullable<ServedRequest['operation']>) => ({ type, fields });

export function createKeptRequests(archive: RequestArchive<KeptRequest>): KeptRequests {
  return {
    hasRoom: (caller, isRefused) => archive.hasRoom({ ...caller, isRefused }),

    add(caller, isRefused, { operation, ...request }) {
      const kept = {
        ...request,
        ...(operation && { operation: withoutName(operation) }),
        keyId: caller.keyId,
      };
      archive.add({ ...caller, isRefused }, kept);
    },

    async list(caller, { keyId, onlyRefused }) {
      assertMay(caller, 'keys:read');
      const kinds = onlyRefused ? [true] : [true, false];
      const found = await Promise.all(kinds.map((isRefused) => archive.read({ ...caller, isRefused })));
      return found
        .flat()
        .filter((request) => keyId === undefined || request.keyId === keyId)
        .toSorted((a, b) => b.at.localeCompare(a.at))
        .slice(0, most);
    },
  };
}
