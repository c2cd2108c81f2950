import type { AuditQueue } from './audit-queue.ts';
import { auditEntry } from './audit.ts';
import { may, type Caller, type PersonCaller } from '../base/caller.ts';
import { type PaymentView, shownTo } from '../payments/views/payment-view.ts';
import { recurrenceShownTo, type RecurrenceView } from '../recurrences/views/recurrence-view.ts';

/** Records who viewed whose payer data. */
export interface PayerViews {
  /**
   * Limits the view to what the caller may see. When a transport reads a payer field, the access is recorded, at most once
   * a minute per person and payment.
   */
  show(caller: Caller, view: PaymentView): PaymentView;
  /** The same for a recurrence. */
  showRecurrence(caller: Caller, view: RecurrenceView): RecurrenceView;
  /** Adds members to a view: when a transport reads one, the access is recorded. */
  reveal<View extends object, Members extends Readonly<Record<string, () => unknown>>>(
    caller: Caller,
    paymentId: string,
    view: View,
    members: Members,
  ): View & { readonly [Name in keyof Members]: ReturnType<Members[Name]> };
  /** Hands recent views to the audit queue. */
  flush(): void;
}

interface Dependencies {
  queue: Pick<AuditQueue, 'add'>;
  now: () => Date;
}

const payerFields = ['payerName', 'payerDocument', 'payerEmail', 'payerAddress', 'paidBy'] as const;

type PayerFields = { id: string } & Partial<Record<(typeof payerFields)[number], unknown>>;

/** Views within this time become one entry, so that a page of payments makes one. */
const gatherMs = 1_000;
const sameViewMs = 60_000;
const maximumRemembered = 50_000;
const maximumIdsOfEntry = 100;

/** What a payer is seen with. */
type Seen = 'payments' | 'recurrences';

interface UnrecordedViews {
  person: PersonCaller;
  seen: Seen;
  ids: string[];
}

/** A payment alone is the subject. */
const entryOf = ({ person, seen }: UnrecordedViews, ids: string[], at: Date) =>
  seen === 'payments' && ids.length === 1
    ? auditEntry(person, 'payer.view', ids[0] ?? null, {}, at)
    : auditEntry(person, 'payer.view', null, { [seen]: ids }, at);

export function createPayerViews({ queue, now }: Dependencies): PayerViews {
  /** When each person last viewed each payment or recurrence, oldest first. */
  const seenAt = new Map<string, number>();
  let unrecorded = new Map<string, UnrecordedViews>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const at = now();
    const entries = [...unrecorded.values()].flatMap((views) =>
      Array.from({ length: Math.ceil(views.ids.length / maximumIdsOfEntry) }, (_, part) =>
        entryOf(views, views.ids.slice(part * maximumIdsOfEntry, (part + 1) * maximumIdsOfEntry), at),
      ),
    );
    unrecorded = new Map();
    if (entries.length > 0) queue.add(entries);
  }

  function forgetOld(at: number): void {
    for (const [key, time] of seenAt) {
      if (time > at - sameViewMs && seenAt.size <= maximumRemembered) return;
      seenAt.delete(key);
    }
  }

  function noteView(person: PersonCaller, seen: Seen, id: string): void {
    const at = now().getTime();
    forgetOld(at);
    const key = `${person.userId} ${id}`;
    if (seenAt.has(key)) return;
    seenAt.set(key, at);
    const { userId, organizationId, mode } = person;
    const page = `${userId} ${organizationId} ${mode} ${seen}`;
    const gathered = unrecorded.get(page) ?? { person, seen, ids: [] };
    gathered.ids.push(id);
    unrecorded.set(page, gathered);
    timer ??= setTimeout(flush, gatherMs).unref();
  }

  /** Adds members that call `noted` when they are read. */
  function withMembers(view: object, members: Readonly<Record<string, () => unknown>>, noted: () => void) {
    const shown = { ...view };
    for (const [name, read] of Object.entries(members)) {
      const get = () => {
        noted();
        return read();
      };
      // Not enumerable, so that measuring or logging the view does not count as reading it.
      Object.defineProperty(shown, name, { enumerable: false, get });
    }
    return shown as never;
  }

  const reveal: PayerViews['reveal'] = (caller, paymentId, view, members) =>
    withMembers(view, members, () => {
      if (caller.kind === 'person') noteView(caller, 'payments', paymentId);
    });

  /** Records only fields that are read: a page that shows no payer data records nothing. */
  function recordingReads<View extends PayerFields>(
    caller: Caller,
    seen: Seen,
    view: View,
  ): View | undefined {
    if (caller.kind !== 'person' || caller.isExporting || !may(caller, 'payers:read')) return undefined;
    const present = payerFields.filter((field) => view[field] !== undefined);
    const members = Object.fromEntries(present.map((field) => [field, () => view[field]]));
    return withMembers(view, members, () => {
      noteView(caller, seen, view.id);
    });
  }

  return {
    show: (caller, view) => recordingReads(caller, 'payments', view) ?? shownTo(caller, view),
    showRecurrence: (caller, view) =>
      recordingReads(caller, 'recurrences', view) ?? recurrenceShownTo(caller, view),
    reveal,
    flush,
  };
}
