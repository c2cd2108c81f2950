import type { AuditQueue } from './audit-queue.ts';
import { auditEntry } from './audit.ts';
import { may, type Caller, type PersonCaller } from '../caller.ts';
import { type PaymentView, shownTo } from '../payments/payment-view.ts';

/** Which people saw whose data: who pays is nobody's business but theirs who need it. */
export interface PayerViews {
  /**
   * What of the payment the caller may see. That a person has seen the payer is recorded once a transport reads one
   * of the payer's fields, at most once a minute for each person and payment.
   */
  shown(caller: Caller, view: PaymentView): PaymentView;
  /** Hands over what was seen a moment ago. */
  flush(): void;
}

interface Dependencies {
  queue: Pick<AuditQueue, 'add'>;
  now: () => Date;
}

const payerFields = ['payerName', 'payerDocument', 'payerEmail'] as const;
/** What a page shows is one entry. */
const gatherMs = 1_000;
const sameViewMs = 60_000;
const maximumRemembered = 50_000;
const maximumPaymentsOfEntry = 100;

interface Seen {
  person: PersonCaller;
  paymentIds: string[];
}

export function createPayerViews({ queue, now }: Dependencies): PayerViews {
  /** When a person saw a payment, the longest ago first. */
  const seenAt = new Map<string, number>();
  let seen = new Map<string, Seen>();
  let timer: NodeJS.Timeout | undefined;

  function flush(): void {
    clearTimeout(timer);
    timer = undefined;
    const at = now();
    const entries = [...seen.values()].flatMap(({ person, paymentIds }) =>
      Array.from({ length: Math.ceil(paymentIds.length / maximumPaymentsOfEntry) }, (_, part) => {
        const from = part * maximumPaymentsOfEntry;
        const payments = paymentIds.slice(from, from + maximumPaymentsOfEntry);
        const [only] = payments;
        return payments.length === 1 && only
          ? auditEntry(person, 'payer.view', only, {}, at)
          : auditEntry(person, 'payer.view', null, { payments }, at);
      }),
    );
    seen = new Map();
    if (entries.length > 0) queue.add(entries);
  }

  function forgetOld(at: number): void {
    for (const [key, time] of seenAt) {
      if (time > at - sameViewMs && seenAt.size <= maximumRemembered) return;
      seenAt.delete(key);
    }
  }

  function see(person: PersonCaller, paymentId: string): void {
    const at = now().getTime();
    forgetOld(at);
    const key = `${person.userId} ${paymentId}`;
    if (seenAt.has(key)) return;
    seenAt.set(key, at);
    const { userId, organizationId, mode } = person;
    const page = `${userId} ${organizationId} ${mode}`;
    const gathered = seen.get(page) ?? { person, paymentIds: [] };
    gathered.paymentIds.push(paymentId);
    seen.set(page, gathered);
    timer ??= setTimeout(flush, gatherMs).unref();
  }

  /** Only what is asked for is read of a view: a page without payers shows none. */
  function watched(person: PersonCaller, view: PaymentView): PaymentView {
    const shown = { ...view };
    for (const field of payerFields) {
      const value = view[field];
      if (value === undefined) continue;
      const get = () => {
        see(person, view.id);
        return value;
      };
      // Whoever walks over the view, to weigh or to log it, shows nobody anything.
      Object.defineProperty(shown, field, { enumerable: false, get });
    }
    return shown;
  }

  return {
    shown(caller, view) {
      if (caller.kind !== 'person' || caller.isExporting || !may(caller, 'payers:read')) {
        return shownTo(caller, view);
      }
      return watched(caller, view);
    },
    flush,
  };
}
