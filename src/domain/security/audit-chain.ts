import { hash } from 'node:crypto';

/** What the hash of an audit entry is of, besides its place and the hash before it. */
export interface ChainedEntry {
  id: string;
  organizationId: string;
  actor: string;
  userId: string | null;
  apiKeyId: string | null;
  action: string;
  subject: string | null;
  details: unknown;
  createdAt: Date;
}

/** A place in the chain of an organization. */
export interface AuditHead {
  sequence: bigint;
  hash: string;
}

/** Before the first entry. */
export const chainStart: AuditHead = { sequence: 0n, hash: '0'.repeat(64) };

/** RFC 8785: members sorted, no spaces, numbers as ECMAScript prints them. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}

/** The place of an entry after another, with its hash in hex. docs/audit-log.md documents how it is made. */
export function chainAfter(previous: AuditHead, { createdAt, ...entry }: ChainedEntry): AuditHead {
  const sequence = previous.sequence + 1n;
  const text = canonical({
    ...entry,
    at: createdAt.toISOString(),
    previousHash: previous.hash,
    sequence: Number(sequence),
  });
  return { sequence, hash: hash('sha256', text) };
}
