import { bulkhead } from 'cockatiel';
import { badRequest } from '../base/errors.ts';
import { reaisFromCents } from '../base/money.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import type { TimeSpan } from '../base/time/lost-time.ts';
import type { Logger } from '../../observability/logger.ts';
import type { Database } from '../../database/database.ts';
import { findPaymentById } from '../payments/store/payments.ts';
import { findChargeAttempt } from '../payments/store/charge-attempts.ts';
import { changeCopy } from './store/database-copies.ts';
import { listLiveCredentials, type LiveCredential } from './store/lost-charges.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { operatorFor } from '../base/caller.ts';
import type { Psps } from '../providers/psps.ts';
import type { Settlement } from '../settlement/settlement.ts';
import type { DatabaseCopies } from './database-copies.ts';
import { findLostCharges, askWithRetries } from './find-lost-charges.ts';
import { createLookAgain } from './look-again.ts';
import { createRecoverCharge, type LostCharge } from './recover-charge.ts';

/** What one account at a PSP said about the lost time. */
interface CheckedAccount {
  credentialId: string;
  organizationId: string;
  provider: string;
  name: string;
  /** How many charges the PSP has that the database lacked. */
  lost: number;
  /** Transaction ids of charges that do not tell their payment, or its terms. */
  unnamed: string[];
  /** Why something may be missing; null if nothing is. */
  problem: string | null;
}

interface RecoveredPayment {
  paymentId: string;
  organizationId: string;
  credentialId: string;
  transactionId: string;
  /** BRL. */
  amount: number;
  /** The payment's status as recorded; in a trial, the charge's status at the PSP. */
  status: string;
}

export interface RestoreReport {
  lostSince: Date;
  until: Date;
  accounts: CheckedAccount[];
  payments: RecoveredPayment[];
}

/** Brings back what a restored database has lost, as far as the PSPs know it. For the operator. */
export interface RestoreCheck {
  /** Can be interrupted and repeated: what is recorded is not recorded again. A trial changes nothing. */
  run(options: { lostSince: Date | undefined; isTrial: boolean }): Promise<RestoreReport>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  copies: DatabaseCopies;
  psps: Pick<Psps, 'live'>;
  settlement: Pick<Settlement, 'lookUpListed'>;
  now: () => Date;
  logger: Logger;
}

const atOnce = 8;

const unbelievable = 'charges of its list could not be read or believed';

const cannotList = 'the service has no list of the charges of this provider: compare its panel and the books';

/** The last attempt of each payment comes first, because its code is the one that was given out. */
function byPayment(lost: readonly LostCharge[]): LostCharge[][] {
  const groups = new Map<string, LostCharge[]>();
  for (const each of lost.toSorted((one, other) => other.position - one.position))
    groups.set(each.paymentId, [...(groups.get(each.paymentId) ?? []), each]);
  return [...groups.values()];
}

export function createRestoreCheck(dependencies: Dependencies): RestoreCheck {
  const { db, audit, copies, psps, settlement, now, logger } = dependencies;
  const recover = createRecoverCharge({ db, now });
  const lookAgain = createLookAgain({ db, settlement, now });

  function logFailure(error: unknown): void {
    if (!(error instanceof PspError)) throw error;
    logger.warn({ error }, 'a recovered charge could not be looked up');
  }

  async function askAccount(credential: LiveCredential, span: TimeSpan) {
    const { id: credentialId, organizationId, provider, name } = credential;
    const account = { credentialId, organizationId, provider, name };
    const nothing = { ...account, lost: 0, unnamed: [] };
    try {
      const connection = await psps.live({ provider, credentialId });
      const listCharges = connection?.adapter.listCharges;
      if (!listCharges) return { account: { ...nothing, problem: cannotList }, charges: [] };
      const { lost: charges, unnamed } = await findLostCharges(db, credential, listCharges, span);
      return { account: { ...account, lost: charges.length, unnamed, problem: null }, charges };
    } catch (error) {
      if (!(error instanceof PspError)) throw error;
      return { account: { ...nothing, problem: error.message }, charges: [] };
    }
  }

  /** Returns the reason if the charge is not recorded. */
  async function bringBack(lost: LostCharge, isTrial: boolean): Promise<RecoveredPayment | string> {
    const { paymentId, attemptId, transactionId, credential } = lost;
    const { id: credentialId, organizationId, provider } = credential;
    const connection = await psps.live({ provider, credentialId });
    const charge = await askWithRetries(async (signal) =>
      connection?.adapter.findCharge({ transactionId, reference: null }, signal),
    );
    if (!charge || charge.amountInCents <= 0n || charge.status === 'unrecognised') return unbelievable;
    const amount = reaisFromCents(charge.amountInCents);
    const recovered = { paymentId, organizationId, credentialId, transactionId, amount };
    if (isTrial) return { ...recovered, status: charge.status };
    if (!(await recover(lost, charge))) return unbelievable;
    const attempt = charge.status === 'active' ? undefined : await findChargeAttempt(db, attemptId);
    // If it cannot be looked up now, a worker does so later.
    if (attempt) await settlement.lookUpListed(attempt).catch(logFailure);
    const payment = await findPaymentById(db, paymentId);
    return { ...recovered, status: payment?.status ?? 'pending' };
  }

  const recordAudit = ({ lostSince, accounts, payments }: RestoreReport): Promise<void> =>
    db.$transaction(async (tx) => {
      for (const organizationId of new Set(accounts.map((account) => account.organizationId))) {
        const isTheirs = (each: { organizationId: string }) => each.organizationId === organizationId;
        await audit.record(tx, operatorFor(organizationId), 'restore.check', null, {
          lostSince: lostSince.toISOString(),
          payments: payments.filter(isTheirs).length,
          problems: accounts.filter((account) => isTheirs(account) && account.problem !== null).length,
        });
      }
    });

  async function recoverAll(
    lost: readonly LostCharge[],
    accounts: readonly CheckedAccount[],
    isTrial: boolean,
  ): Promise<RecoveredPayment[]> {
    const payments: RecoveredPayment[] = [];
    const slots = bulkhead(atOnce, Infinity);
    const recoverOf = async (ofPayment: readonly LostCharge[]) => {
      let chosen: RecoveredPayment | undefined;
      for (const each of ofPayment) {
        const recovered = await bringBack(each, isTrial).catch((error: unknown) => {
          if (!(error instanceof PspError)) throw error;
          return error.message;
        });
        const account = accounts.find(({ credentialId }) => credentialId === each.credential.id);
        if (typeof recovered !== 'string') chosen ??= recovered;
        else if (account) account.problem ??= recovered;
      }
      if (chosen) payments.push(chosen);
    };
    await Promise.all(byPayment(lost).map((ofPayment) => slots.execute(() => recoverOf(ofPayment))));
    return payments.toSorted((one, other) => one.paymentId.localeCompare(other.paymentId));
  }

  async function begin(declared: Date | undefined, isTrial: boolean) {
    const copy = isTrial ? undefined : await (declared ? copies.declare(declared) : copies.notice());
    const lostSince = declared ?? (isTrial ? await copies.lostSince() : copy?.lostSince);
    if (lostSince) return { copy, lostSince };
    throw badRequest(
      'Nodes have worked on no other copy of this database. If it was restored from a snapshot, give the moment of that with --restored-to',
    );
  }

  return {
    async run({ lostSince: declared, isTrial }) {
      const { copy, lostSince } = await begin(declared, isTrial);
      const until = now();
      const credentials = await listLiveCredentials(db);
      const accounts: CheckedAccount[] = [];
      const lost: LostCharge[] = [];
      for (const credential of credentials) {
        const { account, charges } = await askAccount(credential, { since: lostSince, until });
        accounts.push(account);
        lost.push(...charges);
      }
      const payments = await recoverAll(lost, accounts, isTrial);
      const report = { lostSince, until, accounts, payments };
      if (isTrial) return report;
      for (const [index, credential] of credentials.entries()) {
        const problem = await lookAgain(credential, lostSince);
        const account = accounts[index];
        if (account) account.problem ??= problem;
      }
      await recordAudit(report);
      const isDone = accounts.every(({ problem }) => problem === null || problem === cannotList);
      if (copy && isDone) await changeCopy(db, copy.id, { checkedAt: now() });
      return report;
    },
  };
}
