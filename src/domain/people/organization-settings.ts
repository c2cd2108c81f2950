import type { Cents } from '../money.ts';
import { type Role, roles } from './roles.ts';

/** What an organization asks of its people. */
export interface OrganizationSettings {
  /** Whether what decides where live money and events go waits for a second person. */
  changesNeedApproval: boolean;
  /** Live refunds of more than this wait for a second person; null: none does. */
  refundApprovalAboveInCents: Cents | null;
  /** What a person of a role may refund in live mode on a day of Brasília; a role without one has no limit. */
  refundLimitsInCents: Readonly<Partial<Record<Role, Cents>>>;
  /** Roles that may do nothing without a second factor. */
  secondFactorRoles: readonly Role[];
}

export const defaultSettings: OrganizationSettings = {
  changesNeedApproval: false,
  refundApprovalAboveInCents: null,
  refundLimitsInCents: {},
  secondFactorRoles: [],
};

/** Whether anything at all waits for a second person. */
export const needsTwoPeople = (settings: OrganizationSettings): boolean =>
  settings.changesNeedApproval || settings.refundApprovalAboveInCents !== null;

/** No limit is more than any. */
const isMore = (to: Cents | null | undefined, from: Cents | null | undefined): boolean =>
  typeof from === 'bigint' && (typeof to !== 'bigint' || to > from);

/** Whether one person alone could do more afterwards than before. */
export const loosens = (from: OrganizationSettings, to: OrganizationSettings): boolean =>
  (from.changesNeedApproval && !to.changesNeedApproval) ||
  isMore(to.refundApprovalAboveInCents, from.refundApprovalAboveInCents) ||
  roles.some((role) => isMore(to.refundLimitsInCents[role], from.refundLimitsInCents[role])) ||
  from.secondFactorRoles.some((role) => !to.secondFactorRoles.includes(role));
