import { notFound } from '../base/errors.ts';
import { reaisFromCents } from '../base/money.ts';
import type { AmountLimits } from './rules/psp.ts';
import { type ShownFees, shownFees } from './rules/fees/fees.ts';
import { PspError } from './rules/psp-error.ts';
import { type CredentialRow, listCredentialRows, type ListedCredential } from './store/credentials.ts';
import { type CredentialCheckRow, listCredentialChecks } from './store/credential-checks.ts';
import type { Database } from '../../database/database.ts';
import { type Caller, may } from '../base/caller.ts';
import { checkOf, type CredentialCheck } from './check-credential.ts';
import type { PspCatalogue } from './psp-catalogue.ts';
import type { SealedCredentials } from './sealed-credentials.ts';

/**
 * Contains no secrets. The notification address is for the PSP's dashboard; callers who may not manage credentials see it
 * without its token.
 */
export interface CredentialView {
  id: string;
  provider: string;
  /** The bank, if the provider has a preset for it. */
  preset: string | null;
  name: string;
  enabled: boolean;
  isDefault: boolean;
  /** Its place among the fallbacks of the default, from 1; null for all others. */
  fallbackPosition: number | null;
  /** The credential that takes its turn first, and since when; null without one. */
  divertedToId: string | null;
  divertedAt: Date | null;
  /** Set when it was archived: it takes no charges until it is restored. */
  archivedAt: Date | null;
  /** In BRL; absent when the provider has no limit of its own. */
  minimumAmount?: number | undefined;
  maximumAmount?: number | undefined;
  /** What a received Pix costs, in BRL; null where nobody has said. */
  fees: ShownFees | null;
  notificationUrl: string;
  /** Settings that exist only once the notification URL was entered at the provider, and have not been given yet. */
  missingSettings: string[];
  /** When the client certificate expires; null without one. */
  certificateExpiresAt: Date | null;
  /** Until then the PSP is left alone as far as possible, because it received too many requests (429). */
  pausedUntil: Date | null;
  /** Null until checked with its present settings. */
  lastCheck: LastCheck | null;
}

/** What the last check found. */
interface LastCheck extends Pick<CredentialCheck, 'ok' | 'problem' | 'stages'> {
  checkedAt: Date;
}

interface Dependencies {
  db: Database;
  now: () => Date;
  sealed: SealedCredentials;
  catalogue: Pick<PspCatalogue, 'amountLimits' | 'settings'>;
}

const amountsOf = ({ minimum, maximum }: AmountLimits) => ({
  minimumAmount: minimum && reaisFromCents(minimum),
  maximumAmount: maximum && reaisFromCents(maximum),
});

const hiddenToken = '***';

interface ShownContent extends Pick<CredentialView, 'preset' | 'missingSettings'> {
  token: string;
}

export function createCredentialViews({ db, now, sealed, catalogue }: Dependencies) {
  const laterSettings = new Map(
    catalogue.settings().map(({ provider, fields }) => {
      const later = fields.filter(({ comesWithWebhook }) => comesWithWebhook);
      return [provider, later.map(({ name }) => name)];
    }),
  );

  /** A credential that cannot be opened must not hide the others. */
  function shownContent(caller: Caller, row: CredentialRow): ShownContent {
    try {
      const { settings, token } = sealed.unseal(row);
      const { preset } = settings;
      return {
        preset: typeof preset === 'string' ? preset : null,
        missingSettings: (laterSettings.get(row.provider) ?? []).filter(
          (name) => settings[name] === undefined,
        ),
        token: may(caller, 'credentials:manage') ? token : hiddenToken,
      };
    } catch (error) {
      if (error instanceof PspError) return { preset: null, missingSettings: [], token: hiddenToken };
      throw error;
    }
  }

  function viewOf(caller: Caller, row: ListedCredential, check?: CredentialCheckRow): CredentialView {
    const { preset, missingSettings, token } = shownContent(caller, row);
    return {
      id: row.id,
      provider: row.provider,
      preset,
      name: row.name,
      enabled: row.enabled,
      isDefault: row.isDefault,
      fallbackPosition: row.fallbackPosition,
      divertedToId: row.divertedToId,
      divertedAt: row.divertedAt,
      archivedAt: row.archivedAt,
      ...amountsOf(catalogue.amountLimits(row.provider)),
      fees: row.fees && shownFees(row.fees),
      notificationUrl: sealed.urlOf(row.provider, token),
      missingSettings,
      certificateExpiresAt: row.certificateExpiresAt,
      pausedUntil: row.pausedUntil && row.pausedUntil > now() ? row.pausedUntil : null,
      lastCheck: check
        ? { checkedAt: check.checkedAt, ...checkOf(check.stages as CredentialCheck['stages']) }
        : null,
    };
  }

  return {
    viewOf,

    /** What its provider has to know of it, and what it has to know of its provider. */
    webhookOf(caller: Caller, row: CredentialRow) {
      const { missingSettings, token } = shownContent(caller, row);
      return { notificationUrl: sealed.urlOf(row.provider, token), missingSettings };
    },

    async list(caller: Caller): Promise<CredentialView[]> {
      const rows = await listCredentialRows(db, caller.organizationId);
      const checks = await listCredentialChecks(
        db,
        rows.map(({ id }) => id),
      );
      const checkOfRow = new Map(checks.map((check) => [check.credentialId, check]));
      return rows.map((row) => viewOf(caller, row, checkOfRow.get(row.id)));
    },

    async read(caller: Caller, id: string): Promise<CredentialView> {
      const rows = await listCredentialRows(db, caller.organizationId);
      const row = rows.find((each) => each.id === id.toLowerCase());
      if (!row) throw notFound('Credential', id);
      const [check] = await listCredentialChecks(db, [row.id]);
      return viewOf(caller, row, check);
    },
  };
}
