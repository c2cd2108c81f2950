import type { Cents } from '../../base/money.ts';
import { type Role, roles } from '../../base/roles.ts';

/** What becomes of a payment that somebody else than the payer asked for has paid. */
export const otherPayerRules = ['ignore', 'flag', 'refund'] as const;

export type OtherPayerRule = (typeof otherPayerRules)[number];

export interface OrganizationSettings {
  /** Whether changes to where live money and events go need a second person's approval. */
  changesNeedApproval: boolean;
  /** Whether live recurrences are ended only with a second person's approval. */
  recurrenceEndingsNeedApproval: boolean;
  /** `flag`: a person is to look at it; `refund`: it is returned whole. */
  otherPayer: OtherPayerRule;
  /** Live refunds above this amount need approval; null means none do. */
  refundApprovalAboveInCents: Cents | null;
  /** Limit per person and day (Brasília time) for live refunds; roles that are absent have no limit. */
  refundLimitsInCents: Readonly<Partial<Record<Role, Cents>>>;
  /** Roles that must use a second factor. */
  secondFactorRoles: readonly Role[];
  /** Requests a minute of each API key that has no limit of its own; null means what is usual. */
  rateLimitPerMinute: number | null;
}

export const defaultSettings: OrganizationSettings = {
  changesNeedApproval: false,
  recurrenceEndingsNeedApproval: false,
  otherPayer: 'ignore',
  refundApprovalAboveInCents: null,
  refundLimitsInCents: {},
  secondFactorRoles: [],
  rateLimitPerMinute: null,
};

/** Whether anything needs a second person. */
export const needsTwoPeople = (settings: OrganizationSettings): boolean =>
  settings.changesNeedApproval ||
  settings.recurrenceEndingsNeedApproval ||
  settings.refundApprovalAboveInCents !== null;

/** Null or undefined means no limit, which is more than any amount. */
export const isMore = (to: bigint | null | undefined, from: bigint | null | undefined): boolean =>
  typeof from === 'bigint' && (typeof to !== 'bigint' || to > from);

/** Whether a member with role `to` may refund more a day than one with role `from`. */
export const isMoreRefunds = (
  { refundLimitsInCents: limits }: OrganizationSettings,
  to: Role,
  from: Role,
): boolean => isMore(limits[to], limits[from]);

/** Whether the change would let one person do more alone. */
export const relaxes = (from: OrganizationSettings, to: OrganizationSettings): boolean =>
  (from.changesNeedApproval && !to.changesNeedApproval) ||
  (from.recurrenceEndingsNeedApproval && !to.recurrenceEndingsNeedApproval) ||
  isMore(to.refundApprovalAboveInCents, from.refundApprovalAboveInCents) ||
  roles.some((role) => isMore(to.refundLimitsInCents[role], from.refundLimitsInCents[role])) ||
  from.secondFactorRoles.some((role) => !to.secondFactorRoles.includes(role));
