import type { AuditService } from '../audit/audit.ts';
import { badRequest, notFound } from '../base/errors.ts';
import type { Cents } from '../base/money.ts';
import { brasiliaDay } from '../base/time/brasilia.ts';
import type { Database } from '../../database/database.ts';
import type { CredentialService } from '../providers/credentials.ts';
import type { PspCatalogue } from '../providers/psp-catalogue.ts';
import type { PspSource } from '../providers/psps.ts';
import type { Payer } from '../providers/rules/charge.ts';
import { missingPayerFields } from '../providers/rules/psp.ts';
import type { NotificationService } from '../settlement/notifications/psp-notifications.ts';
import { runAccount } from './account-steps.ts';
import { runUnpaidCharge } from './charge-steps.ts';
import { runDueCharge } from './due-steps.ts';
import { leaveNothing } from './leave.ts';
import { runPaidCharge } from './money-steps.ts';
import { runRecurrence } from './recurrence-steps.ts';
import type { ConformanceReport } from './rules/report.ts';
import { nobody, testPayer } from './rules/requests.ts';
import { stepNames } from './rules/steps.ts';
import { must, startRun, type StepSeen } from './run-steps.ts';

interface ConformanceOptions {
  /** The release of this software, which the report names. */
  version: string;
  /** How long to wait for somebody to pay the code. */
  waitMs: number;
  /** Whether an address that is, or may be, one of production will do. */
  realMoney: boolean;
  /** An invented one if left out, but only in a test environment. */
  payer?: Payer | undefined;
  interruption: AbortSignal;
  onStep: (step: StepSeen) => void;
  onCode: (code: string, amountInCents: Cents) => void;
  /** Our ids of what could not be ended. */
  onLeft: (ids: readonly string[]) => void;
}

export interface ConformanceService {
  /**
   * Runs the whole life of a charge against the provider of a credential, by the adapter that the service uses itself. Makes no
   * payments here, and ends what it makes there. Fails with `invalid_request` if it may not be run.
   */
  run(credentialId: string, options: ConformanceOptions): Promise<ConformanceReport>;
}

interface Dependencies {
  db: Database;
  audit: Pick<AuditService, 'record'>;
  credentials: Pick<CredentialService, 'open' | 'operatorOf' | 'check'>;
  psps: { live: PspSource };
  catalogue: Pick<PspCatalogue, 'accountKind'>;
  notifications: Pick<NotificationService, 'namedSince'>;
  now: () => Date;
}

/** What a read does not show at once, and what a list does not, if nobody waits and otherwise. */
const [stateMs, shortListMs, longListMs] = [6_000, 3_000, 60_000];
/** A provider's clock may be behind. */
const behindMs = 60_000;

export function createConformanceService(dependencies: Dependencies): ConformanceService {
  const { db, audit, credentials, psps, catalogue, notifications, now } = dependencies;

  return {
    async run(credentialId, options) {
      const { version, waitMs, realMoney, payer, interruption, onStep, onCode, onLeft } = options;
      const caller = await credentials.operatorOf(credentialId);
      const credential = await credentials.open(credentialId);
      if (!credential) throw notFound('Credential', credentialId);
      const { provider, settings, notificationUrl } = credential;
      const kind = catalogue.accountKind(provider, settings);
      const { environment } = kind;
      if (environment !== 'test' && !realMoney) {
        const is = environment === 'production' ? 'is' : 'may be';
        throw badRequest(
          `the address of the credential ${is} one of production: use a credential for the test environment, or --real-money`,
        );
      }
      const connection = await psps.live({ provider, credentialId });
      if (!connection) throw badRequest('the sandbox has no provider to run against');
      const { adapter } = connection;
      const chosen = payer ?? (environment === 'test' ? testPayer : nobody);
      const missing = missingPayerFields(adapter.capabilities, chosen);
      if (missing.length > 0) throw badRequest(`--payer must be given, with ${missing.join(', ')}`);
      await audit.record(db, caller, 'credential.run_conformance', credentialId, {});

      const startedAt = new Date(now().getTime() - behindMs);
      const patience = {
        stateMs,
        listMs: Math.min(Math.max(shortListMs, waitMs), longListMs),
        payMs: waitMs,
      };
      const run = startRun({ adapter, payer: chosen, notificationUrl, now, patience, interruption, onStep });
      if (await runAccount(run, () => credentials.check(caller, credentialId))) {
        try {
          await runUnpaidCharge(run, startedAt);
          await runPaidCharge(run, startedAt, {
            onCode,
            notifiedSince: (since) => notifications.namedSince(credentialId, since),
          });
          await runDueCharge(run);
          await runRecurrence(run);
        } finally {
          await run.lastStep('leave', async () => {
            const left = await leaveNothing(run);
            if (left.length > 0) onLeft(left);
            must(left.length === 0, 'something_left');
          });
        }
      } else {
        const taken = run.reports.map(({ step }) => step);
        run.skipAfter(
          'broken',
          stepNames.filter((name) => !taken.includes(name)),
        );
      }
      return {
        version,
        provider,
        ...kind,
        day: brasiliaDay(now()),
        isInterrupted: interruption.aborted,
        steps: run.reports,
      };
    },
  };
}
