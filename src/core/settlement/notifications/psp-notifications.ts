import { bulkhead, BulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import { notFound, unauthorized } from '../../base/errors.ts';
import { newId } from '../../base/ids.ts';
import type { NotifiedCharge } from '../../providers/rules/charge.ts';
import type { RawNotification } from '../../providers/rules/psp.ts';
import { keptBodyLength, PspError } from '../../providers/rules/psp-error.ts';
import type { Logger } from '../../../observability/logger.ts';
import type { Metrics } from '../../../observability/metrics.ts';
import type { Database } from '../../../database/database.ts';
import {
  findNotificationsSince,
  findPspNotification,
  insertPspNotification,
  type PspNotificationRow,
} from '../store/psp-notifications.ts';
import type { CredentialService } from '../../providers/credentials.ts';
import type { NotificationTokens } from '../../providers/notification-tokens.ts';
import type { NotifiedCharges } from './notified-charges.ts';
import type { PspCatalogue } from '../../providers/psp-catalogue.ts';
import { throwProviderError } from '../../providers/psps.ts';
import type { UnprovenNotifications } from './unproven-notifications.ts';
import type { UnreadableResponses } from '../../providers/unreadable-responses.ts';

export interface NotificationService {
  /** Whether this node has seen the address before. Needs no lookup. */
  isKnownToken(provider: string, token: string): boolean;
  /** Fails with `route_not_found` for an unknown address. */
  assertToken(provider: string, token: string): Promise<void>;
  /**
   * Verifies a notification by its PSP's rules and stores it before the PSP gets its response. Fails with `route_not_found` for
   * an unknown address and with `unauthorized` for a forgery. Unreadable content is accepted, logged and kept, because PSPs
   * repeat what is refused and some stop sending after a number of failures. `cause` is the request's place in its trace.
   */
  receive(provider: string, token: string, raw: RawNotification, cause?: string): Promise<void>;
  /** Needs no verification, because the built-in sandbox sends it. Resolves once it is processed. */
  receiveFromSandbox(body: string, transactionIds: readonly string[], cause?: string): Promise<void>;
  /** Looks up some charges of a stored notification; returns whether there are more to do right away. */
  process(notificationId: string): Promise<boolean>;
  /** What notifications of a credential named since an instant, of the latest few hundred. */
  namedSince(credentialId: string, since: Date): Promise<NotifiedCharge[]>;
  /** Resolves when everything received has been processed. */
  drain(): Promise<void>;
}

interface Dependencies {
  db: Database;
  credentials: Pick<CredentialService, 'open'>;
  tokens: NotificationTokens;
  catalogue: PspCatalogue;
  charges: NotifiedCharges;
  unproven: UnprovenNotifications;
  unreadable: Pick<UnreadableResponses, 'keep'>;
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'confirmationRefused'>;
}

type NewNotification = Pick<PspNotificationRow, 'provider' | 'credentialId' | 'body' | 'traceparent'>;

/** How long a worker leaves a new notification to its receiver. */
const leaseMs = 30_000;
/** Per credential, so that even slow lookups finish within the lease; the worker takes the rest. */
const slotsPerCredential = { atOnce: 16, waiting: 112 };
/** Anyone who knows the address can send unproven notifications, so they must not hold up genuine ones. */
const slotsForUnproven = { atOnce: 2, waiting: 14 };

const rowsToShow = 500;

/** Gives back what was stored after it was verified. */
const rawOf = ({ body }: Pick<PspNotificationRow, 'body'>): RawNotification => ({
  headers: {},
  query: new URLSearchParams(),
  body: Buffer.from(body),
  hasTrustedCertificate: false,
});

/** Does not repeat the token: it may be a valid one, mistyped. */
const unknownToken = (provider: string) => notFound('Route', `/psp/${provider}`);

/** Each credential has slots of its own. */
function createSlots({ atOnce, waiting }: typeof slotsPerCredential) {
  const slots = new Map<string | null, BulkheadPolicy>();
  return (credentialId: string | null): BulkheadPolicy => {
    const known = slots.get(credentialId);
    if (known) return known;
    const made = bulkhead(atOnce, waiting);
    slots.set(credentialId, made);
    return made;
  };
}

export function createNotificationService(dependencies: Dependencies): NotificationService {
  const { db, credentials, tokens, catalogue, charges: notified, unproven, unreadable } = dependencies;
  const { now, logger, metrics } = dependencies;
  const running = new Set<Promise<void>>();
  const genuineSlots = createSlots(slotsPerCredential);
  const unprovenSlots = createSlots(slotsForUnproven);

  async function store(row: NewNotification): Promise<PspNotificationRow> {
    const receivedAt = now();
    const stored = { ...row, id: newId(receivedAt), receivedAt, remaining: [], again: [] };
    await insertPspNotification(db, { ...stored, nextCheckAt: new Date(receivedAt.getTime() + leaseMs) });
    return stored;
  }

  /** Starts the work without waiting for it. */
  function work(places: BulkheadPolicy, act: () => Promise<unknown>, about: object = {}): void {
    const started = places
      .execute(act)
      .then(() => undefined)
      .catch((error: unknown) => {
        if (error instanceof BulkheadRejectedError) return;
        logger.error({ ...about, error }, 'notification not processed yet');
      })
      .finally(() => running.delete(started));
    running.add(started);
  }

  const processLater = (row: PspNotificationRow, charges: readonly NotifiedCharge[]): void => {
    work(genuineSlots(row.credentialId), () => notified.takeTurn(row, charges), {
      notificationId: row.id,
    });
  };

  /** Undefined when the notification is unreadable. */
  function readCharges(provider: string, raw: RawNotification): NotifiedCharge[] | undefined {
    try {
      return catalogue.notifiedCharges(provider, raw);
    } catch (error) {
      if (error instanceof PspError) return undefined;
      throw error;
    }
  }

  return {
    isKnownToken: tokens.isKnown,

    async assertToken(provider, token) {
      if ((await tokens.find(provider, token)) === undefined) throw unknownToken(provider);
    },

    async receive(provider, token, raw, cause) {
      const credentialId = await tokens.find(provider, token);
      const credential = credentialId && (await credentials.open(credentialId));
      if (!credential) throw unknownToken(provider);
      const verdict = await catalogue.verify(provider, raw, credential.settings).catch(throwProviderError);
      if (verdict === false) {
        metrics.confirmationRefused(provider, 'forged');
        logger.warn({ provider, credentialId: credential.id }, 'forged notification refused');
        throw unauthorized();
      }
      const charges = readCharges(provider, raw);
      if (verdict === 'unproven') {
        work(unprovenSlots(credential.id), () => unproven.follow(credential.id, charges ?? [], cause));
        return;
      }
      if (!charges) {
        metrics.confirmationRefused(provider, 'unreadable');
        const bytes = raw.body.length;
        logger.error({ provider, credentialId: credential.id, bytes }, 'unreadable notification ignored');
        unreadable.keep({
          credentialId: credential.id,
          operation: 'notification',
          transactionId: '',
          problem: 'the notification is unreadable',
          response: { status: 200, body: raw.body.toString().slice(0, keptBodyLength) },
        });
        return;
      }
      // A ping, or a notification for another system.
      if (charges.length === 0) return;
      const row = await store({
        provider,
        credentialId: credential.id,
        // PostgreSQL stores no NUL; reading drops it from every text anyway.
        body: raw.body.toString().replaceAll('\0', ''),
        traceparent: cause ?? null,
      });
      processLater(row, charges);
    },

    async receiveFromSandbox(body, transactionIds, cause) {
      const row = await store({ provider: 'sandbox', credentialId: null, body, traceparent: cause ?? null });
      const charges = transactionIds.map((transactionId) => ({ transactionId, reference: null }));
      await notified.takeTurn(row, charges);
    },

    async process(notificationId) {
      const row = await findPspNotification(db, notificationId);
      return row ? notified.takeTurn(row, catalogue.notifiedCharges(row.provider, rawOf(row))) : false;
    },

    async namedSince(credentialId, since) {
      const rows = await findNotificationsSince(db, { credentialId, since, limit: rowsToShow });
      return rows.flatMap((row) => readCharges(row.provider, rawOf(row)) ?? []);
    },

    async drain() {
      await Promise.all(running);
    },
  };
}
