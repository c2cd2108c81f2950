import { DriverAdapterError } from '@prisma/driver-adapter-utils';
import { Unavailable, type UnavailableReason as Reason } from '../../core/base/errors.ts';

const reasonsBySqlState: readonly (readonly [start: string, reason: Reason])[] = [
  ['08', 'lost'],
  // Too long in a transaction, as a node is that hung.
  ['25P03', 'lost'],
  ['25P04', 'lost'],
  ['57P01', 'lost'],
  ['57P02', 'lost'],
  // Starting, stopping, in standby, or being restored.
  ['57P03', 'away'],
  ['25006', 'away'],
  ['3D000', 'away'],
  ['53', 'full'],
  ['57014', 'slow'],
  ['55P03', 'slow'],
];

const reasonsBySocketCode: Record<string, Reason> = {
  ECONNRESET: 'lost',
  EPIPE: 'lost',
  ECONNREFUSED: 'away',
  ENOTFOUND: 'away',
  EAI_AGAIN: 'away',
  EHOSTUNREACH: 'away',
  ENETUNREACH: 'away',
  ETIMEDOUT: 'away',
};

/** Errors of node-postgres without a code, by the start of their messages. */
const reasonsByMessage: readonly (readonly [start: string, reason: Reason])[] = [
  ['timeout exceeded when trying to connect', 'full'],
  ['Connection terminated due to connection timeout', 'away'],
  ['timeout expired', 'away'],
  ['Connection terminated', 'lost'],
  ['Client has encountered a connection error', 'lost'],
  ['Client was closed', 'lost'],
  ['Cannot use a pool after calling end', 'away'],
  ['Query read timeout', 'slow'],
];

/** Prisma's adapter reports socket failures by kind, without a code. */
const reasonsByKind: Record<string, Reason> = {
  DatabaseNotReachable: 'away',
  ConnectionClosed: 'lost',
  SocketTimeout: 'away',
};

const startOf = (text: string, reasons: readonly (readonly [string, Reason])[]): Reason | undefined =>
  reasons.find(([start]) => text.startsWith(start))?.[1];

function reasonOf(error: unknown): Reason | undefined {
  if (error instanceof DriverAdapterError) {
    const { kind, originalCode = '' } = error.cause;
    return reasonsByKind[kind] ?? startOf(originalCode, reasonsBySqlState);
  }
  if (!(error instanceof Error)) return undefined;
  const { code } = error as { code?: unknown };
  // Prisma's code for a transaction that got no connection or did not finish in time.
  if (code === 'P2028') return 'slow';
  return (
    (typeof code === 'string' && (reasonsBySocketCode[code] ?? startOf(code, reasonsBySqlState))) ||
    startOf(error.message, reasonsByMessage)
  );
}

/** A standby refuses a write before doing anything, and a server that starts or stops refuses everyone. */
const refusals = ['25006', '57P03', 'ECONNREFUSED', 'ENOTFOUND', 'EAI_AGAIN'];

/** Whether the server has certainly not begun what it was asked to do. */
export function isUnexecuted(error: unknown): boolean {
  if (error instanceof DriverAdapterError) {
    const { kind, originalCode = '' } = error.cause;
    return kind === 'DatabaseNotReachable' || refusals.includes(originalCode);
  }
  if (!(error instanceof Error)) return false;
  const { code } = error as { code?: unknown };
  const isDead = error.message.startsWith('Client has encountered a connection error');
  return isDead || (typeof code === 'string' && refusals.includes(code));
}

/** Whether a connection broke while in use, so that nobody knows what the server has done. */
export const isLost = (error: unknown): boolean => reasonOf(error) === 'lost';

/** Translates errors which mean that PostgreSQL is unavailable, full or too slow; returns any other unchanged. */
export function unavailableOr(error: unknown): unknown {
  const reason = reasonOf(error);
  return reason ? new Unavailable(reason, error) : error;
}
