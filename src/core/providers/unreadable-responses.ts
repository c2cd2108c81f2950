import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import { badRequest, notFound } from '../base/errors.ts';
import { attemptIdOf, isUuid, newId } from '../base/ids.ts';
import type { PspAdapter } from './rules/psp.ts';
import type { PspResponse } from './rules/psp-error.ts';
import { type KeyRing, open, seal } from '../encryption/rules/envelope.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../database/database.ts';
import { findCredentialRow } from './store/credentials.ts';
import {
  insertUnreadableResponse,
  listUnreadableResponses,
  type UnreadableResponseRow,
} from './store/unreadable-responses.ts';
import type { RecordAudit } from '../audit/audit.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import { assertMay, type Caller, may } from '../base/caller.ts';

/** Why the outcome of a call to a PSP is unknown, or a genuine notification was ignored. */
export interface Unread {
  credentialId: string;
  operation: keyof PspAdapter | 'notification';
  /** Empty when it is about no charge in particular, or about an unknown one. */
  transactionId: string;
  /** Names what could not be read, without its value. */
  problem: string;
  /** For a notification, its body and the status that we responded with. */
  response: PspResponse;
}

export interface UnreadableResponseView extends Omit<UnreadableResponseRow, 'sealedBody'> {
  /**
   * At most 16,384 characters; null for callers who may not read payer data, and when no key of ENCRYPTION_KEYS opens the body.
   */
  readonly body: string | null;
}

/** Responses that could not be read or believed, for whoever has to look. */
export interface UnreadableResponses {
  /** Stores it in the background, within bounds, and only once an hour while it stays the same. */
  keep(unread: Unread): void;
  /** Resolves once everything has been stored. */
  drain(): Promise<void>;
  /**
   * The latest 100 responses and as many notifications, newest first, or the `first` of them. The audit log records that payer
   * data was viewed.
   */
  ofCredential(caller: Caller, credentialId: string, first?: number): Promise<UnreadableResponseView[]>;
  /** The latest few about a payment of the caller. The audit log records when a transport reads a body. */
  ofPayment(caller: Caller, paymentId: string): Promise<UnreadableResponseView[]>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  payerViews: Pick<PayerViews, 'reveal'>;
  keyRing: KeyRing;
  now: () => Date;
  logger: Logger;
}

/** Notifications have as many of their own, so that neither crowds out the other. */
const keptPerCredential = 100;
const maximumOfPayment = 10;
/** Per node and credential, with as many for notifications, because a PSP may break for every request. */
const maximumPerMinute = 30;
const maximumRemembered = 10_000;

export function createUnreadableResponses(dependencies: Dependencies): UnreadableResponses {
  const { db, audit, payerViews, keyRing, now, logger } = dependencies;
  const known = new LRUCache<string, true>({ max: maximumRemembered, ttl: 3_600_000 });
  const counts = new LRUCache<string, { kept: number }>({ max: maximumRemembered, ttl: 60_000 });
  let storing = Promise.resolve();

  function admits({ credentialId, operation, transactionId, problem, response }: Unread): boolean {
    const isNotification = operation === 'notification';
    const subject = isNotification ? hash('sha256', response.body) : transactionId;
    const name = [credentialId, operation, subject, response.status, problem].join(' ');
    const counted = `${credentialId} ${isNotification}`;
    const count = counts.get(counted) ?? { kept: 0 };
    if (known.has(name) || count.kept >= maximumPerMinute) return false;
    if (count.kept === 0) counts.set(counted, count);
    count.kept += 1;
    known.set(name, true);
    return true;
  }

  async function store(unread: Unread, createdAt: Date): Promise<void> {
    const { credentialId, operation, transactionId, problem, response } = unread;
    const id = newId(createdAt);
    const row = {
      id,
      credentialId,
      operation,
      attemptId: attemptIdOf(transactionId) ?? null,
      httpStatus: response.status,
      problem,
      sealedBody: seal(keyRing, response.body, id),
      createdAt,
    };
    await insertUnreadableResponse(db, row, keptPerCredential);
  }

  function opened({ id, sealedBody }: UnreadableResponseRow): string | null {
    try {
      return open(keyRing, sealedBody, id);
    } catch (error) {
      logger.error({ id, error }, 'cannot open an unreadable response');
      return null;
    }
  }

  return {
    keep(unread) {
      if (!admits(unread)) return;
      const createdAt = now();
      storing = storing
        .then(() => store(unread, createdAt))
        .catch((error: unknown) => {
          const { credentialId, operation } = unread;
          logger.warn({ credentialId, operation, error }, 'could not keep an unreadable response');
        });
    },

    drain: () => storing,

    async ofCredential(caller, credentialId, first) {
      assertMay(caller, 'credentials:manage');
      if (first !== undefined && !(first >= 1 && first <= keptPerCredential))
        throw badRequest(`first must be 1 to ${keptPerCredential}`);
      const credential = isUuid(credentialId) ? await findCredentialRow(db, credentialId) : null;
      if (credential?.organizationId !== caller.organizationId) throw notFound('Credential', credentialId);
      const rows = await listUnreadableResponses(db, { credentialId }, first ?? 2 * keptPerCredential);
      const payments = [...new Set(rows.flatMap(({ paymentId }) => paymentId ?? []))];
      await audit.record(db, caller, 'payer.view', null, { credential: credential.id, payments });
      return rows.map(({ sealedBody, ...row }) => ({ ...row, body: opened({ ...row, sealedBody }) }));
    },

    async ofPayment(caller, paymentId) {
      const rows = await listUnreadableResponses(db, { paymentId }, maximumOfPayment);
      return rows.map(({ sealedBody, ...row }) =>
        may(caller, 'payers:read')
          ? payerViews.reveal(caller, paymentId, row, { body: () => opened({ ...row, sealedBody }) })
          : { ...row, body: null },
      );
    },
  };
}
