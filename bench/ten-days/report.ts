import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { promisify } from 'node:util';
import { query } from '../../test/support/database.ts';
import { row } from '../parts.ts';
import { hourMs } from './faults.ts';
import type { Machines } from './machines.ts';
import type { Trade } from './trade.ts';

const run = promisify(execFile);

export interface Day {
  day: number;
  acknowledged: number;
  others: string;
  webhooks: number;
  databaseMb: number;
  walMb: number;
  backupsMb: number;
  diskMb: number;
  /** Memory of each node and of Redis, in MB. */
  memory: number[];
}

const mb = (bytes: number | string): number => Math.round(Number(bytes) / 1_048_576);

const memoryOf = async (pid: number): Promise<number> =>
  Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) * 1_024;

const sizeOf = async (path: string): Promise<number> =>
  Number((await run('du', ['-sb', path])).stdout.split('\t')[0]);

export async function measure(day: number, machines: Machines, trade: Trade): Promise<Day> {
  const [sizes] = await query<{ database: string; wal: string }>(
    machines.pair.admin,
    `SELECT pg_database_size('pix') AS database, pg_wal_lsn_diff(pg_current_wal_lsn(), '0/0') AS wal`,
  );
  const pids = [...machines.nodes.map(({ service }) => service?.process.pid ?? 0), machines.redis.pid];
  return {
    day,
    acknowledged: trade.acknowledged.size,
    others: [...trade.statuses]
      .filter(([what]) => what !== 'done')
      .map(([what, count]) => `${count} × ${what}`)
      .join(', '),
    webhooks: machines.shop.requests.length,
    databaseMb: mb(sizes?.database ?? 0),
    walMb: mb(sizes?.wal ?? 0),
    backupsMb: mb(await sizeOf(machines.backups)),
    diskMb: mb(await sizeOf(machines.disk)),
    memory: (await Promise.all(pids.map(memoryOf))).map(mb),
  };
}

export const dayTable = (days: readonly Day[]): string[] => [
  row(
    'day',
    'payments so far',
    'answers that were no success',
    'webhooks',
    'database, MB',
    'WAL, MB',
    'backups, MB',
    'disk, MB',
    'node 1, node 2, worker, Redis, MB',
  ),
  row(...Array.from({ length: 9 }, () => '---')),
  ...days.map((each) =>
    row(
      each.day,
      each.acknowledged,
      each.others || 'none',
      each.webhooks,
      each.databaseMb,
      each.walMb,
      each.backupsMb,
      each.diskMb,
      each.memory.join(', '),
    ),
  ),
];

export async function tableSizes({ pair }: Machines): Promise<string[]> {
  const tables = await query<{ name: string; rows: string; bytes: string }>(
    pair.admin,
    `SELECT relname AS name, n_live_tup AS rows, pg_total_relation_size(relid) AS bytes
     FROM pg_stat_user_tables ORDER BY pg_total_relation_size(relid) DESC LIMIT 12`,
  );
  return [
    row('table', 'rows', 'KB'),
    row('---', '---', '---'),
    ...tables.map(({ name, rows, bytes }) => row(`\`${name}\``, rows, Math.round(Number(bytes) / 1_024))),
  ];
}

/** How the attempts to deliver a webhook ended. */
export async function attemptTable({ pair }: Machines): Promise<string[]> {
  const ends = await query<{ end: string; count: string }>(
    pair.admin,
    'SELECT coalesce(error, status_code::text) AS end, count(*) FROM webhook_attempt GROUP BY 1 ORDER BY 2 DESC',
  );
  return [
    row('attempt to deliver', 'how often'),
    row('---', '---'),
    ...ends.map(({ end, count }) => row(end, count)),
  ];
}

/** Calls that brought no answer, by hour: what alerts about providers are about. */
export async function failedCallTable({ pair }: Machines, start: Date): Promise<string[]> {
  const calls = await query<{ name: string; operation: string; at: Date; notSent: number; unknown: number }>(
    pair.admin,
    `SELECT name, operation, starts_at AS at, not_sent AS "notSent", unknown
     FROM psp_call_sum JOIN credential ON credential.id = credential_id
     WHERE seconds = 3600 AND not_sent + unknown > 0 ORDER BY starts_at, name, operation`,
  );
  return [
    row('hour', 'account', 'call', 'not sent', 'outcome unknown'),
    row('---', '---', '---', '---', '---'),
    ...calls.map(({ name, operation, at, notSent, unknown }) =>
      row(dayAndTime(at.getTime() - start.getTime()), name, `\`${operation}\``, notSent, unknown),
    ),
  ];
}

const dayAndTime = (ms: number): string =>
  `day ${Math.floor(ms / (24 * hourMs)) + 1} ${new Date(ms).toISOString().slice(11, 16)}`;

interface Told {
  type: string;
  data: { id: string; kind: string; severity: string; subject: { name: string } | null };
}

/** What the receiver of alerts and the mailbox got. */
export function alertTable({ ops, mail }: Machines, start: Date): string[] {
  const when = (seconds: number): string => dayAndTime(seconds * 1_000 - start.getTime());
  type Alert = Told['data'] & { opened?: number; closed?: number };
  const alerts = new Map<string, Alert>();
  for (const { headers, body } of ops.requests) {
    const { type, data } = JSON.parse(body) as Told;
    const alert: Alert = alerts.get(data.id) ?? data;
    alert[type === 'ops_alert_opened' ? 'opened' : 'closed'] ??= Number(headers['webhook-timestamp']);
    alerts.set(data.id, alert);
  }
  return [
    row('alert', 'severity', 'of', 'told by webhook', 'told that it is over'),
    row('---', '---', '---', '---', '---'),
    ...[...alerts.values()].map(({ kind, severity, subject, opened, closed }) =>
      row(
        `\`${kind}\``,
        severity,
        subject?.name ?? 'organization',
        opened ? when(opened) : '',
        closed ? when(closed) : '',
      ),
    ),
    '',
    `${ops.requests.length} webhooks and ${mail.mails.length} e-mails for ${alerts.size} alerts`,
  ];
}
