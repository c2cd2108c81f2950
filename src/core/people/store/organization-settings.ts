import { cents } from '../../base/money.ts';
import {
  defaultSettings,
  type OrganizationSettings,
  otherPayerRules,
} from '../rules/organization-settings.ts';
import { isRole } from '../../base/roles.ts';
import type { Queryable } from '../../../database/database.ts';

type Row = NonNullable<Awaited<ReturnType<Queryable['organizationSettings']['findUnique']>>>;

const settingsOf = (row: Row | null): OrganizationSettings => {
  if (!row) return defaultSettings;
  const { refundApprovalAboveInCents: above, refundLimitsInCents: limits } = row;
  const { changesNeedApproval, recurrenceEndingsNeedApproval, secondFactorRoles, rateLimitPerMinute } = row;
  const otherPayer = otherPayerRules.find((rule) => rule === row.otherPayer) ?? defaultSettings.otherPayer;
  const entries = Object.entries(limits as Record<string, number>);
  return {
    changesNeedApproval,
    recurrenceEndingsNeedApproval,
    otherPayer,
    secondFactorRoles,
    rateLimitPerMinute,
    refundApprovalAboveInCents: above === null ? null : cents(above),
    refundLimitsInCents: Object.fromEntries(
      entries.filter(([role]) => isRole(role)).map(([role, limit]) => [role, cents(limit)]),
    ),
  };
};

export const findOrganizationSettings = async (
  db: Queryable,
  organizationId: string,
): Promise<OrganizationSettings> =>
  settingsOf(await db.organizationSettings.findUnique({ where: { organizationId } }));

/** Keeps the settings from changing until the transaction ends. */
export async function shareOrganizationSettings(
  tx: Queryable,
  organizationId: string,
): Promise<OrganizationSettings> {
  await tx.$queryRaw`SELECT 1 FROM organization_settings WHERE organization_id = ${organizationId}::uuid FOR SHARE`;
  return findOrganizationSettings(tx, organizationId);
}

/** Waits for a change in progress, and makes others wait until this transaction ends. */
export async function lockOrganizationSettings(
  tx: Queryable,
  organizationId: string,
): Promise<OrganizationSettings> {
  await tx.organizationSettings.createMany({ data: [{ organizationId }], skipDuplicates: true });
  await tx.$queryRaw`SELECT 1 FROM organization_settings
    WHERE organization_id = ${organizationId}::uuid FOR NO KEY UPDATE`;
  return findOrganizationSettings(tx, organizationId);
}

export async function replaceOrganizationSettings(
  tx: Queryable,
  organizationId: string,
  { refundLimitsInCents, secondFactorRoles, ...settings }: OrganizationSettings,
): Promise<void> {
  const limits = Object.entries(refundLimitsInCents).map(([role, limit]) => [role, Number(limit)]);
  const data = {
    ...settings,
    refundLimitsInCents: Object.fromEntries(limits) as Record<string, number>,
    secondFactorRoles: [...secondFactorRoles],
  };
  await tx.organizationSettings.update({ where: { organizationId }, data, select: { organizationId: true } });
}
