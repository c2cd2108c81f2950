import type { CalendarDay } from '../../base/time/calendar-day.ts';
import type { Mode } from '../../base/mode.ts';
import type { Cents } from '../../base/money.ts';
import type { Queryable } from '../../../database/database.ts';
import type {
  Authorization,
  Frequency,
  RecurrenceStatus,
  RetryPolicy,
} from '../../recurrences/rules/recurrence.ts';

/** What a consent page needs, the organization's name and branding included, and nothing of the payer. */
export interface StoredConsent {
  organizationId: string;
  name: string;
  brandColor: string | null;
  logoId: string | null;
  mode: Mode;
  status: RecurrenceStatus;
  amountInCents: Cents | null;
  minimumAmountInCents: Cents | null;
  /** What is paid when the payer permits it. */
  firstAmountInCents: Cents | null;
  authorization: Authorization;
  frequency: Frequency;
  startDate: CalendarDay;
  endDate: CalendarDay | null;
  retries: RetryPolicy;
  description: string | null;
  pixCopyPaste: string | null;
  expiresAt: Date;
  activatedAt: Date | null;
}

/** Undefined until its provider has made it. */
export async function findConsent(db: Queryable, id: string): Promise<StoredConsent | undefined> {
  const [found] = await db.$queryRaw<StoredConsent[]>`
    SELECT r.organization_id AS "organizationId", o.name, b.brand_color AS "brandColor", b.logo_id AS "logoId",
      r.mode::text, r.status::text,
      r.amount_in_cents AS "amountInCents", r.minimum_amount_in_cents AS "minimumAmountInCents",
      first.amount_in_cents AS "firstAmountInCents",
      r.authorization, r.frequency, r.start_date AS "startDate", r.end_date AS "endDate", r.retries, r.description,
      r.pix_copy_paste AS "pixCopyPaste", r.expires_at AS "expiresAt", r.activated_at AS "activatedAt"
    FROM recurrence r JOIN organization o ON o.id = r.organization_id
      LEFT JOIN organization_profile b ON b.organization_id = r.organization_id
      LEFT JOIN payment first ON first.id = r.first_payment_id
    WHERE r.id = ${id}::uuid AND r.status NOT IN ('creating', 'failed')`;
  return found;
}
