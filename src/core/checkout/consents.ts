import { hash } from 'node:crypto';
import type { Database } from '../../database/database.ts';
import { type Cents, reaisFromCents } from '../base/money.ts';
import type { CalendarDay } from '../base/time/calendar-day.ts';
import type { TestClocks } from '../clock/test-clocks.ts';
import { qrCodeOf } from '../payments/views/qr-codes.ts';
import { type Branding, brandingOf } from '../people/organizations/organization-profile.ts';
import type { Authorization, Frequency, RetryPolicy } from '../recurrences/rules/recurrence.ts';
import type { CheckoutLinks } from './links/checkout-links.ts';
import { findConsent, type StoredConsent } from './store/consents.ts';

/** `withdrawn`: the receiver took the request back; `ended`: it was permitted, and is no longer. */
export type ConsentState = 'waiting' | 'active' | 'rejected' | 'expired' | 'withdrawn' | 'ended';

/** Everything that whoever has the address learns: nothing about the payer. Amounts are in BRL. */
export interface ConsentView {
  state: ConsentState;
  shop: Branding;
  /** Undefined where each debit has its own. */
  amount: number | undefined;
  minimumAmount: number | undefined;
  /** What is paid at once by permitting it, or with an offer by its due date. */
  firstAmount: number | undefined;
  authorization: Authorization;
  frequency: Frequency;
  startDate: CalendarDay;
  endDate: CalendarDay | undefined;
  retries: RetryPolicy;
  description: string | undefined;
  /** Present only while it can be permitted. */
  pix: { code: string; qrCodePngBase64: string } | undefined;
  expiresAt: Date;
  isTest: boolean;
  /** False once the payer can no longer answer. */
  mayChange: boolean;
  /** Changes whenever a field above changes. */
  version: string;
}

/** The pages on which payers permit recurrences. */
export interface Consents {
  /** The id of a token's recurrence; undefined if we did not sign the token. Needs no database. */
  idOf(token: string): string | undefined;
  /** Undefined if we did not sign the token. */
  read(token: string): Promise<ConsentView | undefined>;
}

interface Dependencies {
  db: Database;
  links: Pick<CheckoutLinks, 'idOf'>;
  testClocks: Pick<TestClocks, 'nowIn'>;
}

function stateOf({ status, activatedAt, expiresAt }: StoredConsent, now: Date): ConsentState {
  // It takes a while until the recurrence itself expires.
  if (status === 'pending') return expiresAt <= now ? 'expired' : 'waiting';
  if (status === 'active' || status === 'rejected') return status;
  if (activatedAt) return 'ended';
  return status === 'cancelled' ? 'withdrawn' : 'expired';
}

const reais = (inCents: Cents | null): number | undefined =>
  inCents === null ? undefined : reaisFromCents(inCents);

function viewOf(stored: StoredConsent, now: Date): ConsentView {
  const { pixCopyPaste: code, authorization, frequency, startDate, retries, expiresAt } = stored;
  const state = stateOf(stored, now);
  const view = {
    state,
    shop: brandingOf(stored),
    amount: reais(stored.amountInCents),
    minimumAmount: reais(stored.minimumAmountInCents),
    firstAmount: reais(stored.firstAmountInCents),
    authorization,
    frequency,
    startDate,
    endDate: stored.endDate ?? undefined,
    retries,
    description: stored.description ?? undefined,
    pix: state === 'waiting' && code !== null ? { code, qrCodePngBase64: qrCodeOf(code) } : undefined,
    expiresAt,
    isTest: stored.mode === 'test',
    mayChange: stored.status === 'pending',
  };
  return { ...view, version: hash('sha256', JSON.stringify(view), 'base64url').slice(0, 16) };
}

export function createConsents({ db, links, testClocks }: Dependencies): Consents {
  const idOf = (token: string) => links.idOf('recurrence', token);
  return {
    idOf,

    async read(token) {
      const id = idOf(token);
      const stored = id === undefined ? undefined : await findConsent(db, id);
      return stored && viewOf(stored, testClocks.nowIn(stored));
    },
  };
}
