import { afterEach, expect } from '@jest/globals';
import { yesterday } from '../../src/core/books/rules/import-schedule.ts';
import { longTest } from '../support/chance.ts';
import { pixProcess } from '../support/command-line.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { every, type LargeDay, openLargeDay, type Usage, usageOf } from '../support/large-day.ts';
import { killServices, memoryFlags, startService } from '../support/service-process.ts';

const day = yesterday(new Date());
/** What the memory of a process varies by, whatever it does. */
const flatMegabytes = 48;
const minuteMs = 60_000;

const banks: LargeDay['bank'][] = [];

afterEach(async () => {
  await killServices();
  for (const bank of banks.splice(0)) bank.kill('SIGKILL');
});

interface Imported {
  seconds: number;
  /** What the node that imported the day used. */
  node: Usage;
  /** The most memory of the command that exported it, in MB. */
  exportMegabytes: number;
  lines: number;
}

/** A process tells how much it had at most only itself, at its end. */
const tellPeak = encodeURIComponent(
  'process.on("exit", () => console.error(`peak ${process.resourceUsage().maxRSS}`))',
);

async function importDay(count: number): Promise<Imported> {
  const { databaseUrl, organizationId, bank } = await openLargeDay(day, count);
  banks.push(bank);
  const env = { DATABASE_URL: databaseUrl };
  const startedAt = performance.now();
  const node = await startService({ ...env, ROLE: 'worker' }, await memoryFlags());
  const book = await eventually(async () => {
    const [found] = await query(databaseUrl, 'SELECT * FROM statement_day WHERE imported_at IS NOT NULL');
    if (!found) throw new Error('the day is not imported');
    return found;
  }, 10 * minuteMs);
  const seconds = Math.round((performance.now() - startedAt) / 1_000);
  const usage = await usageOf(node.process);
  await node.end('SIGTERM');
  const apart = count / every;
  expect(book).toMatchObject({
    problem: null,
    pix_count: count - apart,
    received_in_cents: String((count - apart) * 1_000),
    own_pix_count: count - apart,
    difference_count: 2 * apart,
  });
  const range = ['--org', organizationId, '--from', day, '--to', day];
  const NODE_OPTIONS = `--max-old-space-size=256 --import=data:text/javascript,${tellPeak}`;
  const { code, stdout, stderr } = await pixProcess(['books', 'export', ...range], { ...env, NODE_OPTIONS });
  expect(code).toBe(0);
  const [, kilobytes] = /peak (\d+)/.exec(stderr) ?? [];
  return {
    seconds,
    node: usage,
    exportMegabytes: Math.round(Number(kilobytes) / 1_024),
    lines: stdout.split('\n').filter(Boolean).length,
  };
}

longTest(
  'a day of 100,000 Pix is imported, compared and exported in the memory of one of 10,000',
  async () => {
    const small = await importDay(10_000);
    const large = await importDay(100_000);
    console.info(JSON.stringify({ small, large }));
    expect([small.lines, large.lines]).toEqual([9_991, 99_901]);
    expect(large.node.peakMegabytes - small.node.peakMegabytes).toBeLessThan(flatMegabytes);
    expect(large.exportMegabytes - small.exportMegabytes).toBeLessThan(flatMegabytes);
    // This is the node's own time: how long it takes depends on what else the machine does.
    expect(large.node.cpuSeconds).toBeLessThan(60);
  },
  25 * minuteMs,
);
