import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { openSync } from 'node:fs';
import { afterEach, beforeAll, expect, test } from '@jest/globals';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { keysFor } from '../support/test-keys.ts';

const EXITS_WITHIN_MS = 15_000;

let databaseUrl: string;
const running: ChildProcess[] = [];

beforeAll(async () => {
  databaseUrl = await freshDatabase();
});

afterEach(() => {
  for (const child of running.splice(0)) child.kill('SIGKILL');
});

interface Node {
  child: ChildProcess;
  get(path: string): Promise<Response>;
}

/** A node whose log goes there, once it answers. */
async function start(stdout: number | 'pipe'): Promise<Node> {
  const port = await freePort();
  const env = { DATABASE_URL: databaseUrl, PORT: String(port), RATE_LIMIT_PER_MINUTE: '1000000' };
  const child = spawn(process.execPath, ['dist/main.js'], {
    env: { PATH: process.env['PATH'], ...keysFor(env), ...env },
    stdio: ['ignore', stdout, 'inherit'],
  });
  running.push(child);
  const get = (path: string) => fetch(`http://127.0.0.1:${port}${path}`);
  await eventually(async () => expect((await get('/healthz')).status).toBe(200));
  return { child, get };
}

const lostLines = async ({ get }: Node): Promise<number> =>
  Number(/^pix_log_lines_lost_total (\d+)$/m.exec(await (await get('/metrics')).text())?.[1]);

async function stop({ child }: Node): Promise<number | null> {
  const ended = once(child, 'exit');
  const signalledAt = performance.now();
  child.kill('SIGTERM');
  const [code] = (await ended) as [number | null];
  expect(performance.now() - signalledAt).toBeLessThan(EXITS_WITHIN_MS);
  return code;
}

/** Whoever asks for its readiness is told about the log; nothing else is different. */
async function expectTold(node: Node): Promise<void> {
  await eventually(async () => {
    const ready = await node.get('/readyz');
    expect([ready.status, await ready.json()]).toMatchObject([200, { status: 'ready', log: 'not written' }]);
  });
}

test('a full disk under the log is counted and told, stops nothing, and SIGTERM ends the process', async () => {
  const node = await start(openSync('/dev/full', 'w'));
  await expectTold(node);
  const before = await lostLines(node);
  expect(before).toBeGreaterThan(0);
  for (let time = 0; time < 20; time++) expect((await node.get('/nowhere')).status).toBe(404);
  await eventually(async () => expect(await lostLines(node)).toBeGreaterThanOrEqual(before + 20));
  expect(await stop(node)).toBe(0);
});

test('a closed pipe under the log is counted and told, stops nothing, and SIGTERM ends the process', async () => {
  const node = await start('pipe');
  const ready = (await (await node.get('/readyz')).json()) as object;
  expect(ready).not.toHaveProperty('log');
  node.child.stdout?.destroy();
  expect((await node.get('/nowhere')).status).toBe(404);
  await expectTold(node);
  expect(await lostLines(node)).toBeGreaterThan(0);
  expect(await stop(node)).toBe(0);
});

test('a pipe that nobody reads is told, stops nothing, and SIGTERM ends the process', async () => {
  const node = await start('pipe');
  // More lines than a pipe and its reader have room for.
  for (let round = 0; round < 60; round++)
    await Promise.all(Array.from({ length: 50 }, async () => (await node.get('/nowhere')).text()));
  await expectTold(node);
  expect((await node.get('/healthz')).status).toBe(200);
  await stop(node);
});
