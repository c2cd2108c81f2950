import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { transform } from '@swc/core';
import { eventually } from './support/eventually.ts';
import { newWebhookSecret, signatureHeaders } from '../src/webhook-client/sign.ts';

const page = await readFile(new URL('../docs/webhooks.md', import.meta.url), 'utf8');

/** The example that listens, among the code blocks of one language. */
function exampleIn(language: string, listening: string): string {
  const blocks = page.matchAll(new RegExp(`\`\`\`${language}\\n([^]*?)\`\`\``, 'g'));
  const found = [...blocks].map(([, code = '']) => code).filter((code) => code.includes(listening));
  expect(found).toHaveLength(1);
  return found[0] ?? '';
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

const directory = await mkdtemp(join(tmpdir(), 'receivers-'));

async function writeTypeScript(): Promise<string[]> {
  const options = { jsc: { parser: { syntax: 'typescript' }, target: 'es2022' }, isModule: true } as const;
  const { code } = await transform(exampleIn('ts', 'createServer'), options);
  await writeFile(join(directory, 'receiver.mjs'), code);
  return [process.execPath, join(directory, 'receiver.mjs')];
}

async function writePython(): Promise<string[]> {
  await writeFile(join(directory, 'receiver.py'), exampleIn('python', 'HTTPServer'));
  return ['python3', join(directory, 'receiver.py')];
}

afterAll(() => rm(directory, { recursive: true, force: true }));

const languages: [language: string, write: () => Promise<string[]>][] = [
  ['TypeScript', writeTypeScript],
  ['Python', writePython],
];

describe.each(languages)('the receiver of docs/webhooks.md in %s', (_language, write) => {
  const secret = newWebhookSecret();
  const data = { id: 'payment-1', amount: 19.9, description: 'ação' };
  let receiver: ChildProcess;
  let url: string;
  let printed = '';

  beforeAll(async () => {
    const port = await freePort();
    const [command = '', ...args] = await write();
    receiver = spawn(command, args, {
      env: { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) },
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    receiver.stdout?.on('data', (chunk: Buffer) => (printed += chunk.toString()));
    url = `http://127.0.0.1:${port}/`;
    await eventually(async () => {
      expect((await post('probe', {})).status).toBe(401);
    });
  });

  afterAll(() => {
    receiver.kill();
  });

  const post = (body: string, headers: Record<string, string>) =>
    fetch(url, { method: 'POST', body, headers });

  const eventWith = (sequence: number) => {
    const id = `event-${sequence}`;
    return { id, body: JSON.stringify({ id, type: 'payment_completed', sequence, data }) };
  };

  const signed = (event: { id: string; body: string }, timestamp: Date, secrets: string[]) =>
    post(event.body, signatureHeaders({ ...event, timestamp, secrets }));

  test('refuses another body than the one that was signed', async () => {
    const event = eventWith(1);
    const headers = signatureHeaders({ ...event, timestamp: new Date(), secrets: [secret] });
    expect((await post(event.body.replace('19.9', '1.99'), headers)).status).toBe(401);
  });

  test('refuses the signature of another secret', async () => {
    expect((await signed(eventWith(2), new Date(), [newWebhookSecret()])).status).toBe(401);
  });

  test('refuses what was signed ten minutes ago', async () => {
    const then = new Date(Date.now() - 600_000);
    expect((await signed(eventWith(3), then, [secret])).status).toBe(401);
  });

  test('takes either signature while a secret is rotated', async () => {
    expect((await signed(eventWith(4), new Date(), [newWebhookSecret(), secret])).status).toBe(204);
  });

  test('takes a genuine event, twice if need be, and works on it once', async () => {
    const event = eventWith(5);
    expect((await signed(event, new Date(), [secret])).status).toBe(204);
    expect((await signed(event, new Date(), [secret])).status).toBe(204);
    const line = '5 payment_completed payment-1 19.9';
    await eventually(() => {
      expect(printed).toContain(line);
    });
    expect(printed.split('\n').filter((each) => each === line)).toHaveLength(1);
    for (const refused of ['1 ', '2 ', '3 ']) expect(printed).not.toMatch(new RegExp(`^${refused}`, 'm'));
  });
});
