import type { AuditQueue } from './audit-queue.ts';
import { auditEntry } from './audit.ts';
import { may, type Caller, type PersonCaller } from '../base/caller.ts';
import { type PaymentView, shownTo } from '../payments/views/payment-view.ts';

/** Records who viewed whose payer data. */
export interface PayerViews {
  /**
   * Limits the view to what the caller may see. When a transport reads a payer field, the access is recorded, at most once
   * a minute per person and payment.
   */
  show(caller: Caller, view: PaymentView): PaymentView;
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

const payerFields = ['payerName', 'payerDocument', 'payerEmail', 'payerAddress'] as const;
/** Views within this time become one entry, so that a page of payments makes one. */
const gatherMs = 1_000;
const sameViewMs = 60_000;
const maximumRemembered = 50_000;
const maximumPaymentsOfEntry = 100;

interface UnrecordedViews {
  person: PersonCaller;
  paymentIds: string[];
}

export function createPayerViews({ queue, now }: Dependencies): PayerViews {
  /** When each person last viewed each payment, oldest first. */
  const seenAt = new Map<string, number>();
  let unrecorded = new Map<string, UnrecordedViews>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const at = now();
    const entries = [...unrecorded.values()].flatMap(({ person, paymentIds }) =>
      Array.from({ length: Math.ceil(paymentIds.length / maximumPaymentsOfEntry) }, (_, part) => {
        const from = part * maximumPaymentsOfEntry;
        const payments = paymentIds.slice(from, from + maximumPaymentsOfEntry);
        const [only] = payments;
        return payments.length === 1 && only
          ? auditEntry(person, 'payer.view', only, {}, at)
          : auditEntry(person, 'payer.view', null, { payments }, at);
      }),
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

  function noteView(person: PersonCaller, paymentId: string): void {
    const at = now().getTime();
    forgetOld(at);
    const key = `${person.userId} ${paymentId}`;
    if (seenAt.has(key)) return;
    seenAt.set(key, at);
    const { userId, organizationId, mode } = person;
    const page = `${userId} ${organizationId} ${mode}`;
    const gathered = unrecorded.get(page) ?? { person, paymentIds: [] };
    gathered.paymentIds.push(paymentId);
    unrecorded.set(page, gathered);
    timer ??= setTimeout(flush, gatherMs).unref();
  }

  const reveal: PayerViews['reveal'] = (caller, paymentId, view, members) => {
    const shown = { ...view };
    for (const [name, read] of Object.entries(members)) {
      const get = () => {
        if (caller.kind === 'person') noteView(caller, paymentId);
        return read();
      };
      // Not enumerable, so that measuring or logging the view does not count as reading it.
      Object.defineProperty(shown, name, { enumerable: false, get });
    }
    return shown as never;
  };

  /** Records only fields that are read: a page that shows no payer data records nothing. */
  function recordingReads(person: PersonCaller, view: PaymentView): PaymentView {
    const present = payerFields.filter((field) => view[field] !== undefined);
    return reveal(
      person,
      view.id,
      view,
      Object.fromEntries(present.map((field) => [field, () => view[field]])),
    );
  }

  return {
    show(caller, view) {
      if (caller.kind !== 'person' || caller.isExporting || !may(caller, 'payers:read')) {
        return shownTo(caller, view);
      }
      return recordingReads(caller, view);
    },
    reveal,
    flush,
  };
}
