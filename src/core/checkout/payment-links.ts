import { badRequest, notFound } from '../base/errors.ts';
import { isUuid, newId } from '../base/ids.ts';
import { cents, minimumAmountInReais, centsFromReais, reaisFromCents } from '../base/money.ts';
import { problem } from '../base/problems/rules.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import type { CalendarDay } from '../base/time/calendar-day.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import { amountOf, amountPartsOn } from '../payments/rules/due/amount-due.ts';
import { termsOf } from '../payments/rules/due/due.ts';
import type { DueTerms } from '../payments/rules/due/due-terms.ts';
import {
  deactivatePaymentLink,
  findPaymentLink,
  insertPaymentLink,
  listLinkPayments,
  listPaymentLinks,
  type PaymentLink,
  type StoredLink,
  totalLinkPayments,
} from './store/payment-links.ts';
import type { Database } from '../../database/database.ts';
import { gather } from '../../database/gather.ts';
import { findPayments } from '../payments/store/payments.ts';
import type { ReadSource } from '../../database/read-source.ts';
import type { PayerViews } from '../audit/payer-views.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import type { CheckoutLinks } from './links/checkout-links.ts';
import { dueOfLink, linkDueOf } from './rules/link-due.ts';
import { type FieldNames, parse, withoutNulls } from '../base/parsing/parse.ts';
import { decodeCursor, encodeCursor } from '../payments/views/payment-cursor.ts';
import type { PaymentPage } from '../payments/views/list-payments-input.ts';
import { paymentView } from '../payments/views/payment-view.ts';
import type { RoutingService } from '../routing/routing.ts';
import {
  centsOrNull,
  linkFilterOf,
  listLinkPaymentsSchema,
  listLinksSchema,
  parseCreateLink,
  type PaymentLinkPage,
  type PaymentLinkView,
  paymentLinkView,
} from './payment-link-view.ts';

interface LinkTotalsView {
  payments: number;
  paid: number;
  amountPaid: number;
  isAtLeast: boolean;
}

/** Links that create a payment for each payer who uses them. Those of other organizations are not found. */
export interface PaymentLinkService {
  /** `body` is unparsed. If no credential could take the payments, fails as creating one would. */
  create(caller: Caller, body: unknown): Promise<PaymentLinkView>;
  get(caller: Caller, id: string): Promise<PaymentLinkView>;
  /** Newest first. `names` maps query fields to the transport's names. */
  list(caller: Caller, query: unknown, names?: FieldNames): Promise<PaymentLinkPage>;
  /** Payments made by the link, newest first. */
  payments(caller: Caller, id: string, query: unknown, names?: FieldNames): Promise<PaymentPage>;
  /** Counts the newest 1,000 payments of a link that the caller has already read. */
  totals(caller: Caller, link: Pick<PaymentLinkView, 'id'>): Promise<LinkTotalsView>;
  /** Ends the link for good: it creates no more payments, but pending ones can still be paid. Idempotent. */
  deactivate(caller: Caller, id: string): Promise<PaymentLinkView>;
}

interface Dependencies {
  db: Database;
  lists: ReadSource;
  audit: { record: RecordAudit };
  payerViews: Pick<PayerViews, 'show'>;
  links: Pick<CheckoutLinks, 'urlOf' | 'withCheckout'>;
  routing: Pick<RoutingService, 'requiredPayerFields' | 'keepRuleSet'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
  now: () => Date;
}

const maximumCounted = 1_000;

/** How many links a page compares with a filter: no index knows which are used, as that depends on their payments. */
const maximumCompared = 500;

const smallest = centsFromReais(minimumAmountInReais) ?? cents(1);

/** The terms of a payment that the link would make on a day, by which to route. */
export const linkTermsOn = (day: CalendarDay, { due }: PaymentLink): DueTerms | null =>
  due && termsOf(dueOfLink(due, day));

/** Payers are not to find out that the discounts leave nothing to pay. */
function assertLeavesAmount(link: PaymentLink, today: CalendarDay): void {
  const terms = linkTermsOn(today, link);
  if (!terms) return;
  const least = cents(link.amountInCents ?? link.minimumInCents ?? smallest);
  if (amountOf(amountPartsOn(today, least, terms)) >= smallest) return;
  const name = link.amountInCents === null ? 'minimumAmount' : 'amount';
  throw badRequest(
    `${name} must leave at least ${minimumAmountInReais} to pay after rebate and discount`,
    problem(name, 'invalid'),
  );
}

/** The amount by which to route while the payer has yet to choose one. */
export const anyAmountOf = ({ amountInCents, minimumInCents, maximumInCents }: PaymentLink) =>
  cents(amountInCents ?? minimumInCents ?? maximumInCents ?? smallest);

export function createPaymentLinkService(dependencies: Dependencies): PaymentLinkService {
  const { db, lists, audit, payerViews, links, routing, testClocks, now } = dependencies;
  const total = gather(
    (ids: readonly string[]) => lists.read((from) => totalLinkPayments(from, ids, maximumCounted)),
    { onlyReads: true },
  );

  const viewOf = (link: StoredLink): PaymentLinkView =>
    paymentLinkView(link, links.urlOf('link', link.id), now());

  async function find({ organizationId, mode }: Caller, id: string): Promise<StoredLink> {
    const link = isUuid(id) ? await findPaymentLink(db, id.toLowerCase()) : undefined;
    if (!link || link.organizationId !== organizationId || link.mode !== mode)
      throw notFound('PaymentLink', id);
    return link;
  }

  const beforeOf = (cursor: string | undefined, names: FieldNames) =>
    cursor === undefined ? undefined : decodeCursor(cursor, names['cursor'] ?? 'cursor');

  return {
    async create(caller, body) {
      assertMay(caller, 'payment-links:manage');
      const input = parseCreateLink(caller.mode, body);
      const createdAt = now();
      const expiresAt = input.expiresAt === undefined ? null : new Date(input.expiresAt);
      if (expiresAt && expiresAt <= createdAt)
        throw badRequest('expiresAt must be in the future', problem('expiresAt', 'future'));
      const link: PaymentLink = {
        id: newId(createdAt),
        organizationId: caller.organizationId,
        mode: caller.mode,
        amountInCents: centsOrNull(input.amount),
        minimumInCents: centsOrNull(input.minimumAmount),
        maximumInCents: centsOrNull(input.maximumAmount),
        description: input.description ?? null,
        singleUse: input.singleUse,
        expiresAt,
        returnUrl: input.returnUrl ?? null,
        credentialId: input.credentialId ?? null,
        ruleSetId: input.ruleSetId ?? null,
        due: linkDueOf(input),
        createdAt,
        deactivatedAt: null,
      };
      const at = testClocks.nowIn(caller);
      const today = brasiliaDay(at);
      assertLeavesAmount(link, today);
      // A link that nobody could pay is refused now, instead of failing its payers later.
      const { credentialId, ruleSetId } = input;
      await routing.requiredPayerFields(caller, {
        credentialId,
        ruleSetId,
        amountInCents: anyAmountOf(link),
        due: linkTermsOn(today, link),
        at,
      });
      await db.$transaction(async (tx) => {
        if (ruleSetId !== undefined) await routing.keepRuleSet(tx, caller, ruleSetId);
        await insertPaymentLink(tx, link);
        await audit.record(tx, caller, 'payment_link.create', link.id, {
          amountInCents: link.amountInCents === null ? null : String(link.amountInCents),
        });
      });
      return viewOf(await find(caller, link.id));
    },

    async get(caller, id) {
      assertMay(caller, 'payments:read');
      return viewOf(await find(caller, id));
    },

    async list(caller, query, names = {}) {
      assertMay(caller, 'payments:read');
      const { limit, cursor, ...filter } = parse(listLinksSchema, withoutNulls(query), names);
      const passes = linkFilterOf(filter, now());
      const readLimit = passes ? maximumCompared : limit + 1;
      const beforeId = beforeOf(cursor, names);
      const read = await listPaymentLinks(db, caller, { beforeId, limit: readLimit });
      const found = passes ? read.filter(passes) : read;
      const data = found.slice(0, limit);
      const last = found.length > limit ? data.at(-1) : read[readLimit - 1];
      return { data: data.map(viewOf), ...(last && { nextCursor: encodeCursor(last.id) }) };
    },

    async payments(caller, id, query, names = {}) {
      assertMay(caller, 'payments:read');
      const { limit, cursor } = parse(listLinkPaymentsSchema, withoutNulls(query), names);
      const beforeId = beforeOf(cursor, names);
      const { id: linkId, organizationId, mode } = await find(caller, id);
      const rows = await listLinkPayments(db, linkId, { beforeId, limit: limit + 1 });
      const keys = rows.slice(0, limit).map((row) => ({ organizationId, mode, id: row.id }));
      const found = keys.length > 0 ? await findPayments(db, keys) : [];
      const data = found.flatMap((payment) =>
        payment
          ? [payerViews.show(caller, links.withCheckout(paymentView(payment), caller.organizationId))]
          : [],
      );
      const last = rows.length > limit ? rows[limit - 1] : undefined;
      return { data, ...(last && { nextCursor: encodeCursor(last.id) }) };
    },

    async totals(caller, { id }) {
      assertMay(caller, 'payments:read');
      const { payments, paid, paidInCents } = await total(id);
      return {
        payments,
        paid,
        amountPaid: reaisFromCents(paidInCents),
        isAtLeast: payments === maximumCounted,
      };
    },

    async deactivate(caller, id) {
      assertMay(caller, 'payment-links:manage');
      const { id: linkId } = await find(caller, id);
      await db.$transaction(async (tx) => {
        const isNew = await deactivatePaymentLink(tx, linkId, now());
        if (isNew) await audit.record(tx, caller, 'payment_link.deactivate', linkId);
      });
      return viewOf(await find(caller, linkId));
    },
  };
}
