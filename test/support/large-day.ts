import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { windowOfDay } from '../../src/core/books/rules/import-schedule.ts';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp } from './app.ts';
import { freshDatabase, query } from './database.ts';
import { createKey } from './factories.ts';

/** Each of these is missing here, and the one after it there. */
export const every = 1_000;

export interface LargeDay {
  databaseUrl: string;
  organizationId: string;
  bank: ChildProcess;
}

const project = fileURLToPath(new URL('../..', import.meta.url));

/** Starts a process of its own, which makes its list page by page. */
async function startBank(day: string, count: number): Promise<{ bank: ChildProcess; settings: object }> {
  const file = 'test/support/large-day-bank.ts';
  const args = ['--import', './test/support/typescript.js', file, day, String(count), String(every)];
  const bank = spawn(process.execPath, args, { cwd: project, stdio: ['ignore', 'pipe', 'inherit'] });
  for await (const line of createInterface(bank.stdout)) {
    return { bank, settings: JSON.parse(line) as object };
  }
  throw new Error('the bank did not start');
}

/** Inserts them as if each had been created, paid and confirmed. */
async function insertPayments(
  databaseUrl: string,
  { since, count, ids }: { since: Date; count: number; ids: [organizationId: string, credentialId: string] },
): Promise<void> {
  const insert = (into: string, values: string) =>
    query(
      databaseUrl,
      `INSERT INTO ${into} SELECT ${values}
       FROM generate_series(0, $3::int - 1) AS n,
         LATERAL (SELECT $4::timestamptz + n * interval '1 day' / $3::int AS at) AS t,
         LATERAL (SELECT (lpad(to_hex(n), 8, '0') || '-0000-7000-8000-000000000000')::uuid AS id) AS i
       WHERE $1::uuid IS NOT NULL AND $2::uuid IS NOT NULL AND n % ${every} <> 0`,
      [...ids, count, since],
    );
  await insert(
    `payment (id, organization_id, mode, status, amount_in_cents, provider, credential_id, attempt_id, created_at, expires_at)`,
    `id, $1::uuid, 'live', 'completed', 1000, 'bacen', $2::uuid, id, at, at`,
  );
  await insert(
    'payment_attempt (id, payment_id, position, provider, credential_id, reason, outcome, created_at)',
    `id, id, 0, 'bacen', $2::uuid, 'default', 'created', at`,
  );
  await insert(
    'received_pix (organization_id, end_to_end_id, payment_id, attempt_id, amount_in_cents, paid_at, created_at)',
    `$1::uuid, 'E' || lpad(n::text, 31, '0'), id, id, 1000, at, at`,
  );
}

/** An account that received so many Pix on a day, and our payments for all but a few. Its bank is the caller's to end. */
export async function openLargeDay(day: string, count: number): Promise<LargeDay> {
  const { since } = windowOfDay(day);
  const databaseUrl = await freshDatabase();
  const { bank, settings } = await startBank(day, count);
  const app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
  try {
    const { organizationId } = await createKey(app.services, { mode: 'live' });
    const caller = operatorFor(organizationId);
    const account = { provider: 'bacen', name: 'bacen', settings, isDefault: true };
    const { id } = await app.services.credentials.create(caller, account);
    await query(databaseUrl, 'UPDATE credential SET created_at = $1', [since]);
    await insertPayments(databaseUrl, { since, count, ids: [organizationId, id] });
    await app.services.books.fetch(caller, { date: day });
    return { databaseUrl, organizationId, bank };
  } finally {
    await app.stop();
  }
}

export interface Usage {
  /** The most memory that it has had resident. */
  peakMegabytes: number;
  cpuSeconds: number;
}

/** What a running process has used, as Linux counts it. */
export async function usageOf({ pid }: ChildProcess): Promise<Usage> {
  const read = (name: string) => readFile(`/proc/${pid}/${name}`, 'utf8');
  const [status, stat] = [await read('status'), await read('stat')];
  const [, kilobytes] = /^VmHWM:\s+(\d+)/m.exec(status) ?? [];
  // After the program's name in parentheses, utime and stime are the 12th and 13th, in hundredths of a second.
  const [user = NaN, system = NaN] = stat
    .replace(/^.*\) /s, '')
    .split(' ')
    .slice(11, 13)
    .map(Number);
  return { peakMegabytes: Math.round(Number(kilobytes) / 1_024), cpuSeconds: (user + system) / 100 };
}
