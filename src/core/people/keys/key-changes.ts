import type { RecordAudit } from '../../audit/audit.ts';
import type { Caller } from '../../base/caller.ts';
import type { CallerChanges } from '../../base/caller-changes.ts';
import { notFound, ServiceError } from '../../base/errors.ts';
import type { Permission } from '../../base/key-permissions.ts';
import { cents, reaisFromCents } from '../../base/money.ts';
import type { Queryable } from '../../../database/database.ts';
import type { GuardedChange } from '../approvals/approval-gate.ts';
import { isMore, needsTwoPeople } from '../rules/organization-settings.ts';
import { type ApiKeyRow, changeApiKey, lockApiKey } from '../store/api-keys.ts';
import { shareOrganizationSettings } from '../store/organization-settings.ts';
import { parseRefundLimit } from './api-key-input.ts';

/** Plain JSON, as a request for approval stores it. */
export interface KeyChange {
  id: string;
  name?: string | undefined;
  permissions?: Permission[];
  allowedIps?: string[];
  refundLimitPerDay?: number | null;
  rateLimitPerMinute?: number | null;
}

interface Dependencies {
  audit: { record: RecordAudit };
  changes: Pick<CallerChanges, 'publish'>;
}

/** The limit in BRL. */
export const refundLimitOf = ({ refundLimitInCents: limit }: Pick<ApiKeyRow, 'refundLimitInCents'>) =>
  limit === null ? null : reaisFromCents(cents(limit));

const mayRefund = ({ permissions }: Pick<ApiKeyRow, 'permissions'>) =>
  permissions.includes('payments:refund');

/** Whether a holder of the key could refund more with it, or from elsewhere. */
const widensRefunds = (from: ApiKeyRow, to: ApiKeyRow): boolean =>
  mayRefund(to) &&
  (!mayRefund(from) ||
    isMore(to.refundLimitInCents, from.refundLimitInCents) ||
    (from.allowedIps.length > 0 &&
      (to.allowedIps.length === 0 || to.allowedIps.some((range) => !from.allowedIps.includes(range)))));

const changedKey = (
  from: ApiKeyRow,
  { id: _id, refundLimitPerDay, name = from.name, ...others }: KeyChange,
): ApiKeyRow => ({
  ...from,
  ...others,
  name,
  ...(refundLimitPerDay !== undefined && { refundLimitInCents: parseRefundLimit(refundLimitPerDay) }),
});

const aboutKey = (key: ApiKeyRow) => ({
  name: key.name,
  keyHint: `${key.prefix}…${key.lastFour}`,
  permissions: key.permissions,
  allowedIps: key.allowedIps,
  refundLimitPerDay: refundLimitOf(key),
  rateLimitPerMinute: key.rateLimitPerMinute,
});

/** Whether somebody else has to approve it: a live key could do more with money. */
export const waitsForApproval = async (tx: Queryable, from: ApiKeyRow, to: ApiKeyRow): Promise<boolean> =>
  to.mode === 'live' &&
  widensRefunds(from, to) &&
  needsTwoPeople(await shareOrganizationSettings(tx, to.organizationId));

async function locked(tx: Queryable, { organizationId }: Caller, id: string): Promise<ApiKeyRow> {
  const key = await lockApiKey(tx, id);
  if (key?.organizationId !== organizationId) throw notFound('ApiKey', id);
  return key;
}

export function createKeyUpdate({ audit, changes }: Dependencies): GuardedChange<KeyChange, ApiKeyRow> {
  const action = 'api_key.update';

  return {
    action,

    async waits(tx, caller, change) {
      const from = await locked(tx, caller, change.id);
      return waitsForApproval(tx, from, changedKey(from, change));
    },

    async describe(tx, caller, change) {
      const from = await locked(tx, caller, change.id);
      return { subject: from.id, before: aboutKey(from), after: aboutKey(changedKey(from, change)) };
    },

    async apply(tx, caller, change) {
      const from = await locked(tx, caller, change.id);
      const { id, mode, revokedAt } = from;
      if (revokedAt) throw new ServiceError('api_key_not_active', 'a revoked key cannot be changed');
      const { name, permissions, allowedIps, refundLimitInCents, rateLimitPerMinute } = changedKey(
        from,
        change,
      );
      await audit.record(tx, caller, action, id, {
        keyMode: mode,
        name: from.name,
        ...(change.name !== undefined && { newName: name }),
        ...(change.permissions && { permissions }),
        ...(change.allowedIps && { allowedIps }),
        ...(change.refundLimitPerDay !== undefined && { refundLimitPerDay: change.refundLimitPerDay }),
        ...(change.rateLimitPerMinute !== undefined && { rateLimitPerMinute }),
      });
      return changeApiKey(tx, id, { name, permissions, allowedIps, refundLimitInCents, rateLimitPerMinute });
    },

    follow: ({ id }) => changes.publish(id),
  };
}
