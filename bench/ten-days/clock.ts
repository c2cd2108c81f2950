// The clock of every process here is that of libfaketime, which goes as fast as the real one and can be moved ahead.
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const library = '/usr/lib/x86_64-linux-gnu/faketime/libfaketimeMT.so.1';
const names = ['LD_PRELOAD', 'FAKETIME_TIMESTAMP_FILE', 'FAKETIME_NO_CACHE', 'FAKETIME_DONT_RESET'];
export const dayMs = 86_400_000;

const aheadFile = process.env['FAKETIME_TIMESTAMP_FILE'] ?? '';

/** Processes that do not inherit the environment are given it. */
export const clockEnv: Record<string, string> = Object.fromEntries(
  names.map((name) => [name, process.env[name] ?? '']),
);

/** At once, for a process that asks sees either the old time or the new one. */
function setAhead(file: string, seconds: number): void {
  writeFileSync(`${file}.new`, `${seconds < 0 ? '' : '+'}${seconds}`, { mode: 0o644 });
  renameSync(`${file}.new`, file);
}

/** Timers become due and leases end as on any other day. Nothing should be under way. */
export function moveTo(at: Date): void {
  const missingMs = at.getTime() - Date.now();
  if (missingMs <= 0) return;
  setAhead(aheadFile, Number(readFileSync(aheadFile, 'utf8')) + missingMs / 1_000);
}

/** Runs this program again under a clock that begins on Monday, at midnight in Brasília. */
export function underOwnClock(): void {
  if (aheadFile) return;
  if (!existsSync(library)) throw new Error('apt-get install faketime');
  const folder = mkdtempSync(join(tmpdir(), 'ten-days-clock-'));
  // PostgreSQL runs as somebody else.
  spawnSync('chmod', ['755', folder]);
  const file = join(folder, 'ahead');
  const monday = new Date();
  monday.setUTCHours(3, 0, 0, 0);
  do monday.setTime(monday.getTime() + dayMs);
  while (monday.getUTCDay() !== 1);
  setAhead(file, (monday.getTime() - Date.now()) / 1_000);
  const { status } = spawnSync(process.execPath, [...process.execArgv, ...process.argv.slice(1)], {
    stdio: 'inherit',
    env: {
      ...process.env,
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_RESET: '1',
    },
  });
  rmSync(folder, { recursive: true });
  process.exit(status ?? 1);
}
