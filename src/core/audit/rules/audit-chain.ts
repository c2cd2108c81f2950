import { hash } from 'node:crypto';

/** The hashed fields of an audit entry, besides its position and the previous hash. */
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

/** A position in an organization's chain. */
export interface AuditHead {
  sequence: bigint;
  hash: string;
}

export const chainStart: AuditHead = { sequence: 0n, hash: '0'.repeat(64) };

/** RFC 8785: sorted members, no whitespace, numbers printed as ECMAScript prints them. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join()}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value).toSorted(([a], [b]) => (a < b ? -1 : 1));
  return `{${members.map(([name, member]) => `${JSON.stringify(name)}:${canonical(member)}`).join()}}`;
}

/**
 * Returns the position and hex hash of an entry that follows another. docs/audit-log.md documents the
 * algorithm.
 */
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
