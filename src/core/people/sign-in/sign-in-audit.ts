import { createHmac, hkdfSync } from 'node:crypto';
import type { AuditAction } from '../../audit/rules/audit-actions.ts';
import type { KeyRing } from '../../encryption/rules/envelope.ts';
import { newId } from '../../base/ids.ts';
import type { Logger } from '../../../observability/logger.ts';
import { insertAuditEntries, type NewAuditEntry } from '../../audit/store/audit-entries.ts';
import type { Database } from '../../../database/database.ts';
import { findPerson, findPersonByEmail, listMemberships, recordSignIn } from '../store/members.ts';
import type { AuditQueue } from '../../audit/audit-queue.ts';
import type { AuditDetails } from '../../audit/audit.ts';
import { noOrganizationId } from '../../base/caller.ts';

/** Where a request came from. */
export interface Origin {
  address: string | null;
  userAgent: string | null;
}

interface FailedSignIn {
  /** Set when the password was right but the code was wrong. */
  userId?: string;
  email?: string;
  /** An error code of the sign-in library, such as INVALID_EMAIL_OR_PASSWORD. */
  reason: string;
}

type SignInFactor = 'password' | 'totp' | 'backup_code' | 'identity_provider';

/** Records account actions in each of the person's organizations. */
export interface SignInAudit {
  signedIn(userId: string, factor: SignInFactor, origin: Origin): Promise<void>;
  changed(userId: string, action: AuditAction, origin: Origin): Promise<void>;
  /** Does not block, so that timing does not reveal who has an account. */
  failed(attempt: FailedSignIn, origin: Origin): void;
  /** Writes pending counts and waits for work in progress. */
  drain(): Promise<void>;
}

interface Dependencies {
  db: Database;
  keyRing: KeyRing;
  queue: Pick<AuditQueue, 'add'>;
  logger: Logger;
  now: () => Date;
}

const windowMs = 60_000;
/** Per minute. One more entry counts any further attempts. */
const entriesPerPerson = 5;
const entriesOfUnknown = 30;

interface Window {
  written: number;
  more: number;
  /** Writes the entry with the count. */
  summarize(more: number): Promise<void>;
}

export function createSignInAudit({ db, keyRing, queue, logger, now }: Dependencies): SignInAudit {
  const windows = new Map<string, Window>();
  const atWork = new Set<Promise<void>>();
  let timer: NodeJS.Timeout | undefined;
  const [first] = keyRing;
  const hashKey = first && Buffer.from(hkdfSync('sha256', first.key, '', 'pix audit e-mail', 32));

  /** Equal for equal addresses, but useless to someone who has only the database. */
  const hashOf = (email: string): string | null =>
    hashKey
      ? createHmac('sha256', hashKey).update(email.trim().toLowerCase()).digest('hex').slice(0, 16)
      : null;

  /** One entry per organization of the person, or a single one without an organization. */
  async function entriesOf(
    userId: string,
    isActor: boolean,
    action: AuditAction,
    details: AuditDetails,
  ): Promise<NewAuditEntry[]> {
    const memberships = await listMemberships(db, userId);
    const ids = memberships.map(({ organizationId }) => organizationId);
    const createdAt = now();
    return (ids.length > 0 ? ids : [noOrganizationId]).map((organizationId) => ({
      id: newId(createdAt),
      organizationId,
      userId: isActor ? userId : null,
      apiKeyId: null,
      actor: 'unknown',
      action,
      subject: userId,
      details,
      createdAt,
    }));
  }

  const unknownEntry = (details: AuditDetails): NewAuditEntry => {
    const createdAt = now();
    const nobody = { organizationId: noOrganizationId, userId: null, apiKeyId: null, subject: null };
    const action = 'session.sign_in_failed';
    return { id: newId(createdAt), ...nobody, actor: 'unknown', action, details, createdAt };
  };

  async function write(userId: string, action: AuditAction, details: AuditDetails): Promise<void> {
    await insertAuditEntries(db, await entriesOf(userId, true, action, details));
  }

  function closeWindows(): void {
    clearTimeout(timer);
    timer = undefined;
    for (const { more, summarize } of windows.values()) if (more > 0) work(() => summarize(more));
    windows.clear();
  }

  /** Whether another entry may be written; if not, counts the attempt. */
  function hasRoom(key: string, maximum: number, summarize: Window['summarize']): boolean {
    const window = windows.get(key) ?? { written: 0, more: 0, summarize };
    windows.set(key, window);
    timer ??= setTimeout(closeWindows, windowMs).unref();
    if (window.written >= maximum) window.more += 1;
    else window.written += 1;
    return window.more === 0;
  }

  function work(task: () => Promise<void>): void {
    const running = task()
      .catch((error: unknown) => {
        logger.error({ error }, 'could not record a failed sign-in');
      })
      .finally(() => atWork.delete(running));
    atWork.add(running);
  }

  async function recordFailure(attempt: FailedSignIn, origin: Origin): Promise<void> {
    const { userId, email = '', reason } = attempt;
    const person = await (userId === undefined
      ? findPersonByEmail(db, email.trim().toLowerCase())
      : findPerson(db, userId));
    const add = async (details: AuditDetails) => {
      if (!person) queue.add([unknownEntry(details)]);
      else {
        const about = { email: person.email, ...details };
        queue.add(await entriesOf(person.id, false, 'session.sign_in_failed', about));
      }
    };
    const summarize = (more: number) => add({ more });
    const key = person?.id ?? 'unknown';
    if (!hasRoom(key, person ? entriesPerPerson : entriesOfUnknown, summarize)) return;
    await add({ reason, ...(!person && { emailHash: hashOf(email) }), ...origin });
  }

  return {
    async signedIn(userId, factor, origin) {
      await recordSignIn(db, userId, now());
      await write(userId, 'session.sign_in', { factor, ...origin });
    },

    changed: (userId, action, origin) => write(userId, action, { ...origin }),

    failed(attempt, origin) {
      work(() => recordFailure(attempt, origin));
    },

    async drain() {
      await Promise.all(atWork);
      closeWindows();
      await Promise.all(atWork);
    },
  };
}
