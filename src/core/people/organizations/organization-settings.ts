import { z } from 'zod';
import { ServiceError } from '../../base/errors.ts';
import { type Cents, cents, centsFromReais, reaisFromCents } from '../../base/money.ts';
import {
  relaxes,
  needsTwoPeople,
  type OrganizationSettings,
  type OtherPayerRule,
  otherPayerRules,
} from '../rules/organization-settings.ts';
import { type Role, roles } from '../../base/roles.ts';
import type { Database, Queryable } from '../../../database/database.ts';
import { lockInvitations, revokeInvitations } from '../store/invitations.ts';
import { lockOwners } from '../store/members.ts';
import {
  findOrganizationSettings,
  lockOrganizationSettings,
  replaceOrganizationSettings,
} from '../store/organization-settings.ts';
import { type RateLimits, rateLimitSchema } from '../rules/rate-limits.ts';
import type { ApprovalGate, GuardedChange } from '../approvals/approval-gate.ts';
import type { RecordAudit } from '../../audit/audit.ts';
import { assertMay, type Caller } from '../../base/caller.ts';
import type { CallerChanges } from '../../base/caller-changes.ts';
import { limitSchema, parse } from '../../base/parsing/parse.ts';

/** Amounts are in BRL. */
interface SettingsView {
  changesNeedApproval: boolean;
  recurrenceEndingsNeedApproval: boolean;
  otherPayer: OtherPayerRule;
  refundApprovalAbove: number | null;
  /** Roles without a limit are omitted. */
  refundLimits: { role: Role; amountPerDay: number }[];
  /** These apply in both modes. */
  secondFactorRoles: Role[];
  /** Requests a minute of each API key that has no limit of its own; null means the default. */
  rateLimitPerMinute: number | null;
}

interface OrganizationSettingsView extends SettingsView {
  defaultRateLimitPerMinute: number;
  /** The highest limit that a key or the organization may have. */
  maximumRateLimitPerMinute: number;
}

const changeSchema = (rateLimits: RateLimits) =>
  z.strictObject(
    {
      changesNeedApproval: z.boolean({ error: 'must be true or false' }).optional(),
      recurrenceEndingsNeedApproval: z.boolean({ error: 'must be true or false' }).optional(),
      otherPayer: z
        .enum(otherPayerRules, { error: `must be one of ${otherPayerRules.join(', ')}` })
        .optional(),
      refundApprovalAbove: limitSchema.nullish(),
      refundLimits: z
        .array(
          z.strictObject({
            role: z.enum(roles, { error: `must be one of ${roles.join(', ')}` }),
            amountPerDay: limitSchema.nullable(),
          }),
        )
        .optional(),
      secondFactorRoles: z
        .array(z.enum(roles, { error: `must be roles of ${roles.join(', ')}` }), { error: 'must be a list' })
        .optional(),
      rateLimitPerMinute: rateLimitSchema(rateLimits).nullish(),
    },
    { error: 'must be an object' },
  );

/** Absent fields stay unchanged; null removes an amount or a limit. */
type SettingsChange = z.output<ReturnType<typeof changeSchema>>;

interface ChangedSettings {
  organizationId: string;
  settings: OrganizationSettings;
}

export interface OrganizationSettingsService {
  get(caller: Caller): Promise<OrganizationSettingsView>;
  /** A change that weakens approvals itself needs a second person. */
  update(caller: Caller, input: unknown): Promise<OrganizationSettingsView>;
  guarded: { 'organization.update_settings': GuardedChange<SettingsChange, ChangedSettings> };
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  gate: ApprovalGate;
  now: () => Date;
  changes: Pick<CallerChanges, 'publish'>;
  rateLimits: RateLimits;
}

const inCents = (reais: number): Cents => centsFromReais(reais) ?? cents(0);

const centsOrNull = (reais: number | null): Cents | null => (reais === null ? null : inCents(reais));

function changed(from: OrganizationSettings, change: SettingsChange): OrganizationSettings {
  const { refundApprovalAbove, refundLimits = [], secondFactorRoles } = change;
  const limits = new Map(Object.entries(from.refundLimitsInCents));
  for (const { role, amountPerDay } of refundLimits) {
    if (amountPerDay === null) limits.delete(role);
    else limits.set(role, inCents(amountPerDay));
  }
  return {
    changesNeedApproval: change.changesNeedApproval ?? from.changesNeedApproval,
    recurrenceEndingsNeedApproval: change.recurrenceEndingsNeedApproval ?? from.recurrenceEndingsNeedApproval,
    otherPayer: change.otherPayer ?? from.otherPayer,
    refundApprovalAboveInCents:
      refundApprovalAbove === undefined ? from.refundApprovalAboveInCents : centsOrNull(refundApprovalAbove),
    refundLimitsInCents: Object.fromEntries(limits),
    secondFactorRoles: secondFactorRoles
      ? roles.filter((role) => secondFactorRoles.includes(role))
      : from.secondFactorRoles,
    rateLimitPerMinute:
      change.rateLimitPerMinute === undefined ? from.rateLimitPerMinute : change.rateLimitPerMinute,
  };
}

const viewOf = (settings: OrganizationSettings): SettingsView => {
  const { refundApprovalAboveInCents: above, refundLimitsInCents: limits } = settings;
  return {
    changesNeedApproval: settings.changesNeedApproval,
    recurrenceEndingsNeedApproval: settings.recurrenceEndingsNeedApproval,
    otherPayer: settings.otherPayer,
    refundApprovalAbove: above === null ? null : reaisFromCents(above),
    refundLimits: roles.flatMap((role) => {
      const limit = limits[role];
      return limit === undefined ? [] : [{ role, amountPerDay: reaisFromCents(limit) }];
    }),
    secondFactorRoles: [...settings.secondFactorRoles],
    rateLimitPerMinute: settings.rateLimitPerMinute,
  };
};

/** A single owner could never turn it off again. */
async function assertTwoOwners(tx: Queryable, organizationId: string): Promise<void> {
  if ((await lockOwners(tx, organizationId)).length >= 2) return;
  throw new ServiceError(
    'second_owner_required',
    'Approvals require two owners, otherwise nobody could approve turning them off: add another owner first',
  );
}

export function createOrganizationSettingsService(dependencies: Dependencies): OrganizationSettingsService {
  const { db, audit, gate, now, changes, rateLimits } = dependencies;
  const schema = changeSchema(rateLimits);

  const withLimits = (settings: OrganizationSettings): OrganizationSettingsView => ({
    ...viewOf(settings),
    defaultRateLimitPerMinute: rateLimits.usual,
    maximumRateLimitPerMinute: rateLimits.maximum,
  });

  const update: GuardedChange<SettingsChange, ChangedSettings> = {
    action: 'organization.update_settings',

    async waits(tx, { organizationId }, change) {
      const from = await lockOrganizationSettings(tx, organizationId);
      return needsTwoPeople(from) && relaxes(from, changed(from, change));
    },

    async describe(tx, { organizationId }, change) {
      const from = await lockOrganizationSettings(tx, organizationId);
      const to = changed(from, change);
      return { subject: organizationId, before: { ...viewOf(from) }, after: { ...viewOf(to) } };
    },

    async apply(tx, caller, change) {
      const { organizationId } = caller;
      const from = await lockOrganizationSettings(tx, organizationId);
      const to = changed(from, change);
      if (needsTwoPeople(to) && !needsTwoPeople(from)) {
        await assertTwoOwners(tx, organizationId);
        // Nobody approved these invitations: an inviter could accept their own.
        await lockInvitations(tx, organizationId);
        await revokeInvitations(tx, organizationId, { invitedById: { not: null } }, now());
      }
      await replaceOrganizationSettings(tx, organizationId, to);
      await audit.record(tx, caller, update.action, organizationId, {
        from: { ...viewOf(from) },
        to: { ...viewOf(to) },
      });
      return { organizationId, settings: to };
    },

    follow: ({ organizationId }) => changes.publish(organizationId),
  };

  return {
    async get(caller) {
      assertMay(caller, 'settings:read');
      return withLimits(await findOrganizationSettings(db, caller.organizationId));
    },

    async update(caller, input) {
      assertMay(caller, 'settings:manage');
      return withLimits((await gate.pass(caller, update, parse(schema, input))).settings);
    },

    guarded: { [update.action]: update } as OrganizationSettingsService['guarded'],
  };
}
