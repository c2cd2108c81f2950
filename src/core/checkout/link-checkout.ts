import { setTimeout as delay } from 'node:timers/promises';
import { badRequest, ServiceError, tooManyRequests } from '../base/errors.ts';
import { firstIdAt } from '../base/ids.ts';
import { cents, type Cents, centsFromText, reaisFromCents } from '../base/money.ts';
import { problem } from '../base/problems/rules.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import type { CalendarDay } from '../base/time/calendar-day.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import type { PayerField } from '../providers/rules/charge.ts';
import {
  findLinkForm,
  findPaymentLink,
  type LinkPayment,
  listLinkPayments,
  type StoredLink,
} from './store/payment-links.ts';
import type { Database } from '../../database/database.ts';
import type { LinkCaller } from '../base/caller.ts';
import type { CheckoutLinks } from './links/checkout-links.ts';
import { type Branding, brandingOf } from '../people/organizations/organization-profile.ts';
import type { PaymentService } from '../payments/payments.ts';
import type { RoutingService } from '../routing/routing.ts';
import { type LinkStatus, statusOf } from './payment-link-view.ts';
import { anyAmountOf, linkTermsOn } from './payment-links.ts';
import { type CheckoutDue, checkoutDueOn } from './rules/checkout-due.ts';
import { dueOfLink } from './rules/link-due.ts';

/** Everything that whoever has the address learns about a link: nothing about its payments. */
export interface LinkPage {
  status: LinkStatus;
  shop: Branding;
  /** BRL, like the bounds; undefined if the payer chooses. */
  amount: number | undefined;
  minimumAmount: number | undefined;
  maximumAmount: number | undefined;
  description: string | undefined;
  /** What a payment that is made today would ask for; undefined without a due date. */
  due: CheckoutDue | undefined;
  isTest: boolean;
  /** What the provider, or a due date, requires to know about the payer, who is asked for it. */
  requiredFields: readonly PayerField[];
}

/** The fields that the payer filled in, as text. */
export type LinkForm = Readonly<Partial<Record<PayerField | 'amount', string>>>;

export interface LinkCheckout {
  /** The id of a token's link; undefined if we did not sign the token. Needs no database. */
  idOf(token: string): string | undefined;
  read(token: string): Promise<LinkPage | undefined>;
  /**
   * Creates a payment, once per `attempt`, and returns the path of its checkout page. A single-use link gives everybody the same
   * pending payment. Undefined when the link has ended. Fails as creating a payment does.
   */
  pay(
    token: string,
    attempt: string,
    form: LinkForm,
    /** Set for a client that has started few payments lately: it may pay even when the link has reached its limit. */
    mayExceedLinkLimit?: boolean,
  ): Promise<string | undefined>;
  /**
   * Does so in place of a payment of the link that was not paid in time, for the same amount and payer: once, however often it is
   * asked for. `expired` is the token of its checkout page.
   */
  payAgain(
    token: string,
    expired: string | undefined,
    mayExceedLinkLimit?: boolean,
  ): Promise<string | undefined>;
}

interface Dependencies {
  db: Database;
  links: Pick<CheckoutLinks, 'idOf' | 'urlOf'>;
  payments: Pick<PaymentService, 'createForPayer'>;
  routing: Pick<RoutingService, 'requiredPayerFields'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
  now: () => Date;
}

/** A link takes a break when so many payments were started within an hour and none of them was paid. */
const maximumUnpaidPerHour = 500;
const hourMs = 3_600_000;
/** The second of two clicks waits for the first one, and longer than a process that died holds the idempotency key. */
const keyWaits = { count: 60, ms: 350 };

const payerFields = ['name', 'document', 'email', 'phone'] as const satisfies readonly PayerField[];

const reais = (inCents: Cents | null) => (inCents === null ? undefined : reaisFromCents(cents(inCents)));

function chosenAmount({ amountInCents, minimumInCents, maximumInCents }: StoredLink, form: LinkForm): number {
  if (amountInCents !== null) return reaisFromCents(cents(amountInCents));
  const chosen = centsFromText(form.amount?.trim() ?? '');
  if (chosen === undefined || chosen <= 0n)
    throw badRequest('amount must be an amount in BRL', problem('amount', 'required'));
  if (minimumInCents !== null && chosen < minimumInCents) {
    const minimum = reaisFromCents(cents(minimumInCents));
    throw badRequest(`amount must be at least ${minimum}`, problem('amount', 'minimum', { minimum }));
  }
  if (maximumInCents !== null && chosen > maximumInCents) {
    const maximum = reaisFromCents(cents(maximumInCents));
    throw badRequest(`amount must be at most ${maximum}`, problem('amount', 'maximum', { maximum }));
  }
  return reaisFromCents(chosen);
}

/** What a payment that is made today would ask for; no amounts where the payer chooses. */
function owedOn(
  today: CalendarDay,
  link: StoredLink,
): { amountInCents: Cents | null; due: CheckoutDue } | undefined {
  const terms = linkTermsOn(today, link);
  if (!terms) return undefined;
  if (link.amountInCents !== null) return checkoutDueOn(today, cents(link.amountInCents), terms);
  const { due } = checkoutDueOn(today, cents(0), terms);
  return { amountInCents: null, due: { ...due, next: undefined } };
}

/** The body of a request that would create the payment. */
function bodyOf(link: StoredLink, today: CalendarDay, form: LinkForm): object {
  const given = payerFields.flatMap((field) => {
    const value = form[field]?.trim();
    return value ? [[field, value] as const] : [];
  });
  return {
    amount: chosenAmount(link, form),
    description: link.description,
    credentialId: link.credentialId,
    ruleSetId: link.ruleSetId,
    returnUrl: link.returnUrl,
    metadata: { paymentLinkId: link.id },
    ...(link.due && { due: dueOfLink(link.due, today) }),
    ...(given.length > 0 && { payer: Object.fromEntries(given) }),
  };
}

const isPaid = ({ status }: LinkPayment): boolean => status === 'completed' || status === 'refunded';

const hasCode = (error: unknown, code: ServiceError['code']): boolean =>
  error instanceof ServiceError && error.code === code;

export function createLinkCheckout(dependencies: Dependencies): LinkCheckout {
  const { db, links, payments, routing, testClocks, now } = dependencies;
  const callerOf = ({ id, organizationId, mode }: StoredLink): LinkCaller => ({
    kind: 'link',
    organizationId,
    mode,
    linkId: id,
  });

  async function find(token: string): Promise<StoredLink | undefined> {
    const id = links.idOf('link', token);
    return id === undefined ? undefined : findPaymentLink(db, id);
  }

  async function findActive(token: string): Promise<StoredLink | undefined> {
    const link = await find(token);
    return link && statusOf(link, now()) === 'active' ? link : undefined;
  }

  /** Payments of test mode fall due by its clock. */
  const todayOf = (link: StoredLink): CalendarDay => brasiliaDay(testClocks.nowIn(link));

  async function requiredFields(link: StoredLink): Promise<readonly PayerField[]> {
    const { credentialId, ruleSetId } = link;
    const required = await routing.requiredPayerFields(callerOf(link), {
      credentialId: credentialId ?? undefined,
      ruleSetId: ruleSetId ?? undefined,
      amountInCents: anyAmountOf(link),
      due: linkTermsOn(todayOf(link), link),
      at: testClocks.nowIn(link),
    });
    const isAsked = (field: PayerField) =>
      required.includes(field) || (link.due && (field === 'name' || field === 'document'));
    return payerFields.filter(isAsked);
  }

  /** The pending payment to give out, or the key under which to make one; undefined where one is paid already. */
  async function nextPayment(
    link: StoredLink,
    attempt: string,
  ): Promise<{ pendingId: string } | { key: string } | undefined> {
    if (!link.singleUse) return { key: `payment-link ${link.id} ${attempt}` };
    const [latest] = await listLinkPayments(db, link.id, { limit: 1 });
    if (latest && isPaid(latest)) return undefined;
    if (latest?.status === 'pending' && latest.expiresAt > now()) return { pendingId: latest.id };
    // Two payers who start at once get the same key, and so the same payment.
    return { key: `payment-link ${link.id} after ${latest?.id ?? 'none'}` };
  }

  async function assertFewEnough(linkId: string): Promise<void> {
    const fromId = firstIdAt(new Date(now().getTime() - hourMs));
    const recent = await listLinkPayments(db, linkId, { fromId, limit: maximumUnpaidPerHour });
    if (recent.length === maximumUnpaidPerHour && !recent.some(isPaid)) throw tooManyRequests(hourMs / 1000);
  }

  const pathOf = (paymentId: string): string => new URL(links.urlOf('payment', paymentId)).pathname;

  async function pay(
    token: string,
    attempt: string,
    form: LinkForm,
    mayExceedLinkLimit = false,
  ): Promise<string | undefined> {
    const link = await findActive(token);
    if (!link) return undefined;
    const body = bodyOf(link, todayOf(link), form);
    if (!mayExceedLinkLimit) await assertFewEnough(link.id);
    for (let wait = 0, suffix = ''; ; wait++) {
      const found = await nextPayment(link, attempt);
      if (!found) return undefined;
      if ('pendingId' in found) return pathOf(found.pendingId);
      try {
        const { view } = await payments.createForPayer(callerOf(link), body, found.key + suffix);
        return pathOf(view.id);
      } catch (error) {
        const isMadeForAnother = link.singleUse && hasCode(error, 'idempotency_key_reused');
        if (!isMadeForAnother && !hasCode(error, 'idempotency_key_in_flight')) throw error;
        if (wait === keyWaits.count) {
          if (!isMadeForAnother || suffix) throw error;
          // The process that created it died and nobody has its code: everybody who waits creates the same new one.
          [wait, suffix] = [0, ' again'];
        }
      }
      await delay(keyWaits.ms);
      if (!(await findActive(token))) return undefined;
    }
  }

  return {
    pay,

    async payAgain(token, expired, mayExceedLinkLimit) {
      const linkId = links.idOf('link', token);
      const paymentId = links.idOf('payment', expired ?? '');
      const before =
        linkId === undefined || paymentId === undefined
          ? undefined
          : await findLinkForm(db, linkId, paymentId);
      if (!before) return undefined;
      const { status, expiresAt, amountInCents, ...payer } = before;
      if (status === 'creating' || isPaid(before) || (status === 'pending' && expiresAt > now()))
        return pathOf(before.id);
      const form = { ...payer, amount: reaisFromCents(amountInCents).toFixed(2) };
      return pay(token, `instead of ${before.id}`, form, mayExceedLinkLimit);
    },

    idOf: (token) => links.idOf('link', token),

    async read(token) {
      const link = await find(token);
      if (!link) return undefined;
      const status = statusOf(link, now());
      const owed = status === 'active' ? owedOn(todayOf(link), link) : undefined;
      return {
        status,
        shop: brandingOf(link),
        amount: reais(owed?.amountInCents ?? link.amountInCents),
        due: owed?.due,
        minimumAmount: reais(link.minimumInCents),
        maximumAmount: reais(link.maximumInCents),
        description: link.description ?? undefined,
        isTest: link.mode === 'test',
        requiredFields: status === 'active' ? await requiredFields(link) : [],
      };
    },
  };
}
