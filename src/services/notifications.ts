import { bulkhead, BulkheadRejectedError, type BulkheadPolicy } from 'cockatiel';
import { nextUnknownCheck } from '../domain/check-schedule.ts';
import { notFound, badRequest, unauthorized } from '../domain/errors.ts';
import { attemptIdOf, newId } from '../domain/ids.ts';
import { type NotifiedCharge, PspError, type RawNotification } from '../domain/psp.ts';
import type { Logger } from '../observability/logger.ts';
import type { Metrics } from '../observability/metrics.ts';
import type { Database } from '../persistence/database.ts';
import {
  changePspNotification,
  type ChargeAttempt,
  findChargeAttempt,
  findChargeAttemptByReference,
  findPspNotification,
  insertPspNotification,
  type PspNotificationRow,
} from '../persistence/settlement.ts';
import type { CredentialService } from './credentials.ts';
import { type PspCatalogue, type Psps, refusedByProvider } from './psps.ts';
import type { Recorded } from './record-charge.ts';
import type { Settlement } from './settlement.ts';

export interface NotificationService {
  /**
   * Verifies a notification as its PSP prescribes and stores it; the answer to the PSP need not wait for
   * more. Fails with a 404 for an address that is nobody's, a 401 for a forgery, a 400 for what is unreadable.
   */
  receive(provider: string, token: string, raw: RawNotification): Promise<void>;
  /** From the built-in sandbox, which needs no proof; processed when this resolves. */
  receiveFromSandbox(body: string, transactionIds: readonly string[]): Promise<void>;
  /** Asks the PSP about every charge that a stored notification names. */
  process(notificationId: string): Promise<void>;
  /** Resolves when what was received has been processed. */
  drain(): Promise<void>;
}

interface Dependencies {
  db: Database;
  credentials: CredentialService;
  catalogue: PspCatalogue;
  psps: Psps;
  settlement: Settlement;
  now: () => Date;
  logger: Logger;
  metrics: Pick<Metrics, 'confirmationRefused'>;
}

/** What a worker waits before it takes up a notification that its receiver should have processed. */
const leaseMs = 30_000;
const referenceTimeoutMs = 5_000;
/** So long a notification may speak of a charge that is still being created. */
const patienceMs = 120_000;
/**
 * Notifications of one credential at once, and how many more wait their turn, which is within the lease even
 * where every question takes its time. The rest wait for the worker.
 */
const placesOfCredential = { atOnce: 16, waiting: 112 };

export function createNotificationService(dependencies: Dependencies): NotificationService {
  const { db, credentials, catalogue, psps, settlement, now, logger, metrics } = dependencies;
  const running = new Set<Promise<void>>();
  const places = new Map<string | null, BulkheadPolicy>();

  function placesOf(credentialId: string | null): BulkheadPolicy {
    const known = places.get(credentialId);
    if (known) return known;
    const made = bulkhead(placesOfCredential.atOnce, placesOfCredential.waiting);
    places.set(credentialId, made);
    return made;
  }

  /** Undefined while its provider does not know the charge, null when it is none of ours. */
  async function attemptOf(
    { provider, credentialId }: PspNotificationRow,
    { transactionId, reference }: NotifiedCharge,
  ): Promise<ChargeAttempt | null | undefined> {
    // Ours are stored before a provider hears of them.
    const byTransaction = async (id: string) => {
      const attemptId = attemptIdOf(id);
      return (attemptId && (await findChargeAttempt(db, attemptId))) || null;
    };
    if (transactionId) return byTransaction(transactionId);
    if (!reference || !credentialId) return null;
    const referenced = await findChargeAttemptByReference(db, credentialId, reference);
    if (referenced) return referenced;
    // Its create has not been answered yet, so only the PSP can say which charge it is.
    const connection = await psps.live({ provider, credentialId });
    const signal = AbortSignal.timeout(referenceTimeoutMs);
    const charge = await connection?.adapter.findCharge({ transactionId: '', reference }, signal);
    return charge && byTransaction(charge.transactionId);
  }

  async function askAbout(notification: PspNotificationRow, charge: NotifiedCharge): Promise<Recorded> {
    const attempt = await attemptOf(notification, charge);
    if (attempt === undefined) return 'too_early';
    // Others may use the same account.
    if (attempt === null) return 'settled';
    if (attempt.credentialId !== notification.credentialId && notification.credentialId !== null) {
      metrics.confirmationRefused(notification.provider, 'stranger');
      logger.warn({ notificationId: notification.id }, 'notification names a charge of another account');
      return 'settled';
    }
    return settlement.askAbout(attempt);
  }

  async function processCharges(row: PspNotificationRow, charges: readonly NotifiedCharge[]): Promise<void> {
    const isTooOld = now().getTime() - row.receivedAt.getTime() > patienceMs;
    let isOver = true;
    for (const charge of charges) {
      try {
        const recorded = await askAbout(row, charge);
        isOver &&= recorded === 'settled' || (recorded === 'too_early' && isTooOld);
      } catch (error) {
        if (!(error instanceof PspError)) throw error;
        // For a payment that has ended it may be all that tells of the money: it waits for its PSP to speak.
        isOver = false;
      }
    }
    const change = isOver
      ? { processedAt: now(), nextCheckAt: null }
      : { nextCheckAt: nextUnknownCheck(row.receivedAt, now()) };
    await changePspNotification(db, row.id, change);
  }

  async function store(row: Omit<PspNotificationRow, 'id' | 'receivedAt'>): Promise<PspNotificationRow> {
    const receivedAt = now();
    const stored = { ...row, id: newId(receivedAt), receivedAt };
    await insertPspNotification(db, { ...stored, nextCheckAt: new Date(receivedAt.getTime() + leaseMs) });
    return stored;
  }

  function processLater(row: PspNotificationRow, charges: readonly NotifiedCharge[]): void {
    const work = placesOf(row.credentialId)
      .execute(() => processCharges(row, charges))
      .catch((error: unknown) => {
        if (error instanceof BulkheadRejectedError) return;
        logger.error({ notificationId: row.id, error }, 'notification not processed yet');
      })
      .finally(() => running.delete(work));
    running.add(work);
  }

  function readCharges(provider: string, raw: RawNotification): NotifiedCharge[] {
    try {
      return catalogue.notifiedCharges(provider, raw);
    } catch (error) {
      if (error instanceof PspError) throw badRequest('the notification is unreadable');
      throw error;
    }
  }

  return {
    async receive(provider, token, raw) {
      const credential = await credentials.openByToken(provider, token);
      if (!credential) throw notFound('Route', `/psp/${provider}`);
      const isGenuine = await catalogue.verify(provider, raw, credential.settings).catch(refusedByProvider);
      if (!isGenuine) {
        metrics.confirmationRefused(provider, 'forged');
        logger.warn({ provider, credentialId: credential.id }, 'forged notification refused');
        throw unauthorized();
      }
      const charges = readCharges(provider, raw);
      const row = await store({ provider, credentialId: credential.id, body: raw.body.toString() });
      processLater(row, charges);
    },

    async receiveFromSandbox(body, transactionIds) {
      const row = await store({ provider: 'sandbox', credentialId: null, body });
      await processCharges(
        row,
        transactionIds.map((transactionId) => ({ transactionId, reference: null })),
      );
    },

    async process(notificationId) {
      const row = await findPspNotification(db, notificationId);
      if (!row) return;
      const body = Buffer.from(row.body);
      const raw = { headers: {}, query: new URLSearchParams(), body, hasTrustedCertificate: false };
      await processCharges(row, catalogue.notifiedCharges(row.provider, raw));
    },

    async drain() {
      await Promise.all(running);
    },
  };
}
