import type { Permission } from './key-permissions.ts';

/** Roles of a member in an organization. */
export const roles = ['owner', 'developer', 'support', 'viewer'] as const;

export type Role = (typeof roles)[number];

interface Rule {
  people: readonly Role[];
  /** `permitted`: keys that have the permission of the same name. A permission: keys that have that one. */
  keys: 'always' | 'permitted' | 'never' | Permission;
}

const everyone = roles;
const supporters = ['owner', 'developer', 'support'] as const;
const developers = ['owner', 'developer'] as const;
const owners = ['owner'] as const;

/** Every action and who may perform it. The operator may perform them all. */
export const rules = {
  'payments:read': { people: everyone, keys: 'always' },
  'payers:read': { people: supporters, keys: 'always' },
  /** Replaces the data of a payer for good. */
  'payers:forget': { people: owners, keys: 'never' },
  'payments:create': { people: [], keys: 'permitted' },
  /** Links that make payments for whoever opens them. */
  'payment-links:manage': { people: supporters, keys: 'payments:create' },
  'payments:try': { people: supporters, keys: 'never' },
  /** Payments from a file, or instalments. */
  'payment-batches:create': { people: supporters, keys: 'payments:create' },
  /** Amount and terms of payments with a due date, and further attempts of debits. */
  'payments:update': { people: supporters, keys: 'payments:create' },
  'payments:cancel': { people: supporters, keys: 'permitted' },
  'payments:refund': { people: supporters, keys: 'permitted' },
  /** Refunds whose outcome their provider does not tell. */
  'refunds:settle': { people: owners, keys: 'never' },
  /** Answers in the organization's name; an acceptance also needs what a refund needs. */
  'disputes:answer': { people: supporters, keys: 'payments:refund' },
  /** Refunds of payments whose money is claimed: it may leave twice. */
  'refunds:force': { people: owners, keys: 'never' },
  'payments:simulate': { people: supporters, keys: 'always' },
  'payments:investigate': { people: everyone, keys: 'never' },
  /** How providers, webhooks and books are doing. */
  'health:read': { people: everyone, keys: 'never' },
  'webhooks:read': { people: everyone, keys: 'webhooks:manage' },
  'webhooks:resend': { people: supporters, keys: 'never' },
  'webhooks:manage': { people: developers, keys: 'permitted' },
  'keys:read': { people: everyone, keys: 'never' },
  'test-keys:manage': { people: developers, keys: 'never' },
  'live-keys:manage': { people: owners, keys: 'never' },
  'credentials:read': { people: everyone, keys: 'never' },
  'credentials:manage': { people: developers, keys: 'never' },
  'rule-sets:read': { people: everyone, keys: 'never' },
  'rule-sets:manage': { people: developers, keys: 'never' },
  'members:read': { people: everyone, keys: 'never' },
  'members:manage': { people: owners, keys: 'never' },
  /** Books show live credentials, and money that has nothing to do with the service. */
  'books:read': { people: everyone, keys: 'never' },
  'books:fetch': { people: owners, keys: 'never' },
  'books:settle': { people: owners, keys: 'never' },
  'audit:read': { people: everyone, keys: 'never' },
  'approvals:read': { people: everyone, keys: 'never' },
  /** Whoever decides also needs the permission that the change itself needs. */
  'approvals:decide': { people: supporters, keys: 'never' },
  'settings:read': { people: everyone, keys: 'never' },
  'settings:manage': { people: owners, keys: 'never' },
} as const satisfies Record<string, Rule>;

export type Action = keyof typeof rules;

export const roleMay = (role: Role, action: Action): boolean =>
  (rules[action].people as readonly Role[]).includes(role);

/** Whether the role `to` grants anything that `from` did not; null: not a member before. */
export const gainsPermissions = (to: Role, from: Role | null): boolean =>
  Object.values<Rule>(rules).some(
    ({ people }) => people.includes(to) && (from === null || !people.includes(from)),
  );

export const isRole = (value: unknown): value is Role => roles.some((role) => role === value);
