import { randomBytes } from 'node:crypto';
import { daysBefore, firstImport, windowOfDay } from '../../src/core/books/rules/import-schedule.ts';
import { cents } from '../../src/core/base/money.ts';
import { brasiliaDay } from '../../src/core/base/time/brasilia.ts';
import { operatorFor } from '../../src/core/base/caller.ts';
import type { WholeBookDay } from '../../src/core/books/books.ts';
import { startTestApp, type TestApp } from './app.ts';
import { freshDatabase, query } from './database.ts';
import { endChecks } from './payment-checks.ts';
import { type LiveOrganization, openLiveOrganization } from './live.ts';
import { defineBacen } from './psp-emulator/bacen.ts';
import type { PspEmulator } from './psp-emulator/core.ts';
import type { EmulatedCharge } from './psp-emulator/ledger.ts';
import type { DefinePsp } from './psp-emulator/psp.ts';

const hourMs = 3_600_000;
/** Has what some providers need. */
const payer = { name: 'Maria Silva', document: '12345678909', email: 'maria@example.com' };

/** An organization with one account at an emulated bank, on a day of its own. */
export interface TestBooks extends LiveOrganization {
  credentialId: string;
  emulator: PspEmulator;
  day: string;
  now: () => Date;
  pass(ms: number): void;
  createPayment(amount?: number): Promise<string>;
  createPaid(): Promise<{ id: string; charge: EmulatedCharge }>;
  /** What happens when somebody pays the key directly. */
  receiveElsewhere(amountInCents?: number): EmulatedCharge;
  /** Imports what is due after the midnight that ends the day. */
  closeDay(): Promise<void>;
  importDue(): Promise<void>;
  /** Imports what is due a day later. */
  importAgain(): Promise<void>;
  book(): Promise<WholeBookDay>;
}

export interface BooksApp {
  app: TestApp;
  open(psp?: [provider: string, define: DefinePsp]): Promise<TestBooks>;
  stop(): Promise<void>;
}

const dayMs = 24 * hourMs;

/** What the bank lists of it as given back, or taken back with another reason. */
export function returnAtBank(charge: EmulatedCharge, amount: number, reason = 'ORIGINAL'): void {
  const refundId = randomBytes(16).toString('hex');
  charge.refunds.push({
    refundId,
    reference: `D${refundId.slice(1)}`,
    endToEndId: charge.pix[0]?.endToEndId ?? '',
    amountInCents: cents(amount),
    status: 'completed',
    reason,
    createdAt: charge.pix[0]?.paidAt ?? new Date(0),
  });
}

/** A Pix of a charge that is nobody's. */
function receiveAt({ ledger }: PspEmulator, amountInCents: number): EmulatedCharge {
  const transactionId = randomBytes(14).toString('hex');
  const expiresAt = new Date(ledger.now().getTime() + hourMs);
  const charge = { transactionId, reference: transactionId, amountInCents: cents(amountInCents), expiresAt };
  const added = ledger.add(charge);
  ledger.pay(added);
  return added;
}

/** Without workers of its own: the test runs them. Each organization begins at a noon in Brasília. */
export async function startBooksApp(env: Record<string, string> = {}): Promise<BooksApp> {
  let clock = new Date();
  const now = () => clock;
  const databaseUrl = await freshDatabase();
  const app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api', ...env }, { now });
  const opened: TestBooks[] = [];

  async function open(psp: [string, DefinePsp] = ['bacen', defineBacen()]): Promise<TestBooks> {
    clock = new Date(windowOfDay(brasiliaDay(clock)).until.getTime() + 12 * hourMs);
    // Those before are done.
    await endChecks(databaseUrl);
    await query(databaseUrl, 'UPDATE statement_day SET next_check_at = NULL');
    await query(databaseUrl, 'UPDATE credential SET enabled = false');
    const live = await openLiveOrganization(app, now, psp);
    const [account] = live.accounts;
    if (!account) throw new Error('there is no account');
    const { credentialId, emulator } = account;
    const day = brasiliaDay(clock);
    const importDue = async () => void (await app.services.reconciliation.statement_day(10));

    async function createPayment(amount = 10): Promise<string> {
      return String((await live.client.post('/v1/payments', { amount, payer })).body.id);
    }

    const books: TestBooks = {
      ...live,
      credentialId,
      emulator,
      day,
      now,
      createPayment,
      importDue,

      pass(ms) {
        clock = new Date(clock.getTime() + ms);
      },

      async createPaid() {
        const id = await createPayment();
        const charge = emulator.ledger.charges.at(-1) as EmulatedCharge;
        await emulator.pay(charge.transactionId);
        await app.services.notifications.drain();
        return { id, charge };
      },

      receiveElsewhere: (amount = 777) => receiveAt(emulator, amount),

      async closeDay() {
        clock = firstImport(day);
        await app.services.statementImport.plan();
        await importDue();
      },

      async importAgain() {
        clock = new Date(clock.getTime() + dayMs);
        await importDue();
      },

      async book() {
        const range = { from: day, to: day };
        const [found] = await app.services.books.list(operatorFor(live.organizationId), range);
        if (!found) throw new Error(`${day} has no book`);
        return found;
      },
    };
    opened.push(books);
    return books;
  }

  return {
    app,
    open,
    async stop() {
      await Promise.all(opened.map((each) => each.stop()));
      await app.stop();
    },
  };
}

/** An organization with an account at an emulated bank that has been there for weeks. */
export interface PastBooks extends LiveOrganization {
  credentialId: string;
  emulator: PspEmulator;
  /** Puts the bank's clock at noon of a day in Brasília; returns the day. */
  goBack(days: number): string;
  createPaid(amount: number): Promise<string>;
  receiveElsewhere(amountInCents: number): EmulatedCharge;
  /** Imports the days that are due, as the workers would. */
  importDue(): Promise<void>;
  /** Imports a day now. */
  read(day: string): Promise<void>;
}

/** The service must have the time of day and no workers of its own. */
export async function openPastBooks(
  app: TestApp,
  psp: [provider: string, define: DefinePsp] = ['bacen', defineBacen()],
): Promise<PastBooks> {
  let clock = new Date();
  const live = await openLiveOrganization(app, () => clock, psp);
  const [account] = live.accounts;
  if (!account) throw new Error('there is no account');
  const { credentialId, emulator } = account;
  const age = "UPDATE credential SET created_at = created_at - interval '40 days' WHERE id = $1";
  await query(app.databaseUrl, age, [credentialId]);
  const importDue = async () => void (await app.services.reconciliation.statement_day(100));
  return {
    ...live,
    credentialId,
    emulator,
    importDue,

    goBack(days) {
      const day = daysBefore(brasiliaDay(new Date()), days);
      clock = new Date(windowOfDay(day).since.getTime() + 12 * hourMs);
      return day;
    },

    async createPaid(amount) {
      const { body } = await live.client.post('/v1/payments', { amount, payer });
      await emulator.pay((emulator.ledger.charges.at(-1) as EmulatedCharge).transactionId);
      await app.services.notifications.drain();
      return String(body.id);
    },

    receiveElsewhere: (amountInCents) => receiveAt(emulator, amountInCents),

    async read(day) {
      await app.services.books.fetch(operatorFor(live.organizationId), { date: day });
      await importDue();
    },
  };
}
