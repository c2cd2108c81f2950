import { setTimeout as delay } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test as always } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { type LiveAccount, openAccount } from '../support/live.ts';
import { passTime } from '../support/mortal-service.ts';
import { receivingAccount } from '../support/psp-emulator/bacen-automatic.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { dayDebitedToday, permittedRecurrences } from '../support/recurrences.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { testKeys } from '../support/test-keys.ts';

const count = 16;
// DEBITS_SEED tries other moments; what a node is doing then is a matter of chance.
const seed = Number(process.env['DEBITS_SEED'] ?? 1);

const dueOn = dayDebitedToday();
const test = dueOn ? always : always.skip;

/** Of a recurrence: its debits as they are stored, those that live at the bank, and the most that have at a time. */
interface Debits {
  contract: string;
  stored: string[];
  live: string[];
  mostAtOnce: number;
}

let databaseUrl: string;
/** Makes the recurrences. */
let operator: TestApp;
let accounts: LiveAccount[];
/** The newest. */
let account: LiveAccount;
let state = seed;

/** Numerical Recipes: enough to choose a moment by. */
function random(least: number, most: number): number {
  state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
  return least + ((state >>> 8) % (most - least + 1));
}

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  operator = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
});

beforeEach(() => {
  state = seed;
  accounts = [];
});

afterEach(async () => {
  await killServices();
  await query(databaseUrl, 'UPDATE recurrence SET next_check_at = NULL');
  await Promise.all(accounts.map(({ emulator }) => emulator.stop()));
});

afterAll(() => operator.stop());

/** Permitted, and each with a debit that is to be sent now. */
async function openRecurrences(): Promise<void> {
  const { organizationId, key } = await createKey(operator.services, { mode: 'live' });
  account = await openAccount(operator, {
    organizationId,
    provider: 'bacen',
    name: 'bank',
    define: defineBacen('standard'),
    isDefault: true,
    settings: receivingAccount,
  });
  accounts.push(account);
  const { emulator } = account;
  // So that nodes are stopped with answers under way.
  emulator.faults.add({ kind: 'slow', operation: 'create', milliseconds: 60, times: 1_000 });
  // No bank saves us from a second debit.
  emulator.switches.turn('severalInCycle', true);
  const client = createClient(operator.baseUrl, key);
  await permittedRecurrences(client, emulator, { count, startDate: dueOn });
  await runAgain();
}

/** As if each were due once more, for the first of its debits. */
const runAgain = () =>
  query(
    databaseUrl,
    `UPDATE recurrence SET next_check_at = now(), next_debit_on = start_date WHERE credential_id = $1`,
    [account.credentialId],
  );

const start = (): Promise<ServiceProcess> =>
  startService({ DATABASE_URL: databaseUrl, ENCRYPTION_KEYS: testKeys });

const requests = () => account.emulator.requests.length;

const debitsMade = () =>
  account.emulator.requests.filter(({ method, path }) => method === 'PUT' && path.includes('/cobr/')).length;

const until = (isReached: () => boolean) =>
  eventually(() => {
    if (!isReached()) throw new Error(`${requests()} requests, ${debitsMade()} debits`);
  });

async function debits(): Promise<Debits[]> {
  const rows = await query<{ contract: string; reference: string; stored: string[] }>(
    databaseUrl,
    `SELECT contract, reference, coalesce(array_agg(replace(attempt_id::text, '-', ''))
       FILTER (WHERE payment.status = 'pending'), '{}') AS stored
     FROM recurrence LEFT JOIN payment ON recurrence_id = recurrence.id
     WHERE recurrence.credential_id = $1 GROUP BY recurrence.id`,
    [account.credentialId],
  );
  const all = account.emulator.psp.automatic?.debits() ?? [];
  return rows.map(({ reference, ...each }) => {
    const cobrs = all
      .filter(({ recurrenceId }) => recurrenceId === reference)
      .map(({ id, madeAt, endedAt }) => ({ id, from: madeAt.toISOString(), end: endedAt?.toISOString() }));
    const atOnce = cobrs.map(
      ({ from }) => cobrs.filter((other) => other.from <= from && (!other.end || from < other.end)).length,
    );
    const live = cobrs.flatMap(({ id, end }) => (end ? [] : [id]));
    return { ...each, live, mostAtOnce: Math.max(0, ...atOnce) };
  });
}

/** Recurrences that have not had one debit in the cycle, the same here and at the bank. */
const contradictions = async (): Promise<Debits[]> =>
  (await debits()).filter(
    ({ stored, live, mostAtOnce }) =>
      mostAtOnce !== 1 || stored.length !== 1 || live.length !== 1 || stored[0] !== live[0],
  );

/** As PostgreSQL does after a minute: what a node that stands still has locked, nobody can go on with. */
const endIdleTransactions = () =>
  query(
    databaseUrl,
    `SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()
       AND state = 'idle in transaction' AND state_change < now() - interval '3 seconds'`,
  );

/** Nothing is due, nothing under way. */
async function isQuiet(): Promise<void> {
  const [row] = await query<{ due: number }>(
    databaseUrl,
    `SELECT (SELECT count(*) FROM recurrence WHERE credential_id = $1 AND next_check_at <= now() + interval '30 seconds')::int
       + (SELECT count(*) FROM payment_attempt WHERE credential_id = $1 AND next_check_at <= now())::int AS due`,
    [account.credentialId],
  );
  const open = account.emulator.inFlight();
  if (row?.due !== 0) await endIdleTransactions();
  if (row?.due !== 0 || open > 0) throw new Error(`${row?.due} are due, and ${open} requests under way`);
}

/** Whatever was abandoned has been found and ended, which takes minutes, and each debit has been made. */
async function settled(): Promise<void> {
  await eventually(async () => {
    await isQuiet();
    const [row] = await query<{ open: number }>(
      databaseUrl,
      `SELECT (SELECT count(*) FROM recurrence WHERE credential_id = $1 AND next_debit_on = start_date)::int
         + (SELECT count(*) FROM payment_attempt WHERE credential_id = $1 AND outcome IN ('open', 'unknown'))::int AS open`,
      [account.credentialId],
    );
    if (row?.open === 0) return;
    await passTime(databaseUrl, 301);
    throw new Error(`${row?.open} are undecided`);
  });
}

test('a node that is killed at any moment leaves one debit in each cycle', async () => {
  await openRecurrences();
  for (let kills = 0; kills < 5; kills++) {
    const node = await start();
    const [before, more] = [requests(), random(2, 16)];
    await until(() => requests() >= before + more);
    await node.end('SIGKILL');
    // Shorter, and longer, than a bank may take over a request without an answer.
    await passTime(databaseUrl, [31, 61, 200, 700][random(0, 3)] ?? 31);
  }
  await start();
  await settled();
  expect({ seed, found: await contradictions() }).toEqual({ seed, found: [] });
});

test.each([
  { lease: 'of its work', pass: async () => passTime(databaseUrl, 62), stops: 2 },
  { lease: 'of its requests', pass: () => Promise.all([settled(), delay(13_000)]), stops: 2 },
])(
  'a node that stood still for longer than the lease $lease, while another went on, makes no second debit',
  async ({ pass, stops }) => {
    const [stopped, other] = [await start(), await start()];
    for (let each = 0; each < stops; each++) {
      await openRecurrences();
      const [before, more] = [requests(), random(2, 16)];
      await until(() => requests() >= before + more);
      stopped.process.kill('SIGSTOP');
      await pass();
      await eventually(isQuiet);
      stopped.process.kill('SIGCONT');
      // Which has it do more.
      await runAgain();
      await settled();
      expect({ seed, found: await contradictions() }).toEqual({ seed, found: [] });
    }
    // Whatever it had begun has ended.
    await stopped.end('SIGTERM');
    await settled();
    await other.end('SIGTERM');
    expect({ seed, found: await contradictions() }).toEqual({ seed, found: [] });
  },
);

test('two nodes that run the same recurrences again and again make one debit of each', async () => {
  await openRecurrences();
  const nodes = [await start(), await start()];
  for (let runs = 0; runs < 5; runs++) {
    await until(() => debitsMade() >= count);
    await runAgain();
    await settled();
  }
  for (const node of nodes) await node.end('SIGTERM');
  expect(debitsMade()).toBe(count);
  expect({ seed, found: await contradictions() }).toEqual({ seed, found: [] });
});
