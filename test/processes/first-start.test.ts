import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';

let directory: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'first-start-'));
});

afterAll(() => rm(directory, { recursive: true, force: true }));

const dataDirectory = () => join(directory, 'data');

/** `npm start` without npm. */
function start(port: number) {
  const child = spawn(process.execPath, ['scripts/build.mjs', '--start'], {
    cwd: resolve(import.meta.dirname, '../..'),
    env: {
      PATH: process.env['PATH'],
      HOME: process.env['HOME'],
      DATA_DIR: dataDirectory(),
      PORT: String(port),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = { stdout: '', stderr: '' };
  child.stdout.on('data', (text: Buffer) => (said.stdout += text.toString()));
  child.stderr.on('data', (text: Buffer) => (said.stderr += text.toString()));
  return { child, said };
}

test('a port that is in use is named before anything is built or made', async () => {
  const other = createServer().listen(0, '127.0.0.1');
  await once(other, 'listening');
  const { port } = other.address() as AddressInfo;
  const { child, said } = start(port);
  expect(await once(child, 'close')).toEqual([1, null]);
  other.close();
  expect(said).toEqual({
    stdout: '',
    stderr: `Port ${port} is in use. Choose another: PORT=${port + 1} npm start\n`,
  });
  expect(existsSync(dataDirectory())).toBe(false);
});

test('the first start says its steps, and the address tells anybody where to go on', async () => {
  const port = await freePort();
  const { child, said } = start(port);
  try {
    await eventually(() => expect(said.stdout).toContain('Demo test key'));
    expect(said.stderr).toContain(`Making a database in ${dataDirectory()}, once …\n`);
    expect(said.stderr).toMatch(/Making a database in .*, once: \d+\.\d s\n/);
    expect(said.stderr).toMatch(/Setting up its tables: \d+\.\d s\n/);
    const response = await fetch(`http://127.0.0.1:${port}/`);
    expect(response.status).toBe(200);
    expect(await response.json()).toMatchObject({ documentation: `http://localhost:${port}/docs/` });
    const page = { headers: { Accept: 'text/html' }, redirect: 'manual' } as const;
    const redirect = await fetch(`http://127.0.0.1:${port}/`, page);
    expect([redirect.status, redirect.headers.get('Location')]).toEqual([302, '/dashboard/']);
  } finally {
    child.kill('SIGTERM');
    await once(child, 'close');
  }
});
