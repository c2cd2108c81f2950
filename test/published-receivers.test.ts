import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { copyFile, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { transform } from '@swc/core';
import { eventually } from './support/eventually.ts';
import { freePort } from './support/free-port.ts';
import { newWebhookSecret } from '../src/webhook-client/sign.ts';

const root = resolve(import.meta.dirname, '..');
const directory = await mkdtemp(join(tmpdir(), 'published-'));
afterAll(() => rm(directory, { recursive: true, force: true }));

beforeAll(async () => {
  for (const name of ['sdk', 'checkout']) {
    const [source, installed] = [
      join(root, 'packages', name),
      join(directory, 'node_modules/@pix-service', name),
    ];
    const tsc = join(root, 'node_modules/typescript/bin/tsc');
    const { status } = spawnSync(process.execPath, [tsc, '-p', source, '--outDir', join(installed, 'dist')]);
    expect(status).toBe(0);
    await copyFile(join(source, 'package.json'), join(installed, 'package.json'));
  }
});

interface Receiver {
  name: string;
  code: string;
  command: string;
  args: (port: number) => string[];
}

const listens = /\.listen\(|serve_forever\(/;

/** Files of integrators, by a pattern. */
async function published(pattern: RegExp): Promise<string[]> {
  const found = ['README.md'];
  for (const folder of ['docs', 'examples', 'packages'])
    for (const path of await readdir(join(root, folder), { recursive: true })) found.push(join(folder, path));
  return found.filter((path) => pattern.test(path) && !path.includes('node_modules'));
}

async function receiversOfPages(): Promise<Receiver[]> {
  const found: Receiver[] = [];
  for (const page of await published(/\.md$/)) {
    const text = await readFile(join(root, page), 'utf8');
    for (const [, language = '', code = ''] of text.matchAll(/^```(js|ts|python)\n([^]*?)^```/gm)) {
      if (!listens.test(code)) continue;
      const isPython = language === 'python';
      const file = join(directory, `${found.length}.${isPython ? 'py' : 'mjs'}`);
      const options = {
        jsc: { parser: { syntax: 'typescript' }, target: 'es2022' },
        isModule: true,
      } as const;
      await writeFile(file, isPython ? code : (await transform(code, options)).code);
      const name = `${page} in ${language}`;
      found.push({ name, code, command: isPython ? 'python3' : process.execPath, args: () => [file] });
    }
  }
  return found;
}

const fastapi = (port: number) => ['-m', 'uvicorn', 'shop:app', '--port', String(port)];

async function shops(): Promise<Receiver[]> {
  const found: Receiver[] = [];
  for (const path of await published(/^examples\/\w+\/shop\.(js|py)$/)) {
    const code = await readFile(join(root, path), 'utf8');
    const file = join(root, path);
    const isFastapi = code.includes('FastAPI()');
    // Debian's Python, for which Debian packages FastAPI.
    const python = isFastapi ? '/usr/bin/python3' : 'python3';
    if (isFastapi && spawnSync(python, ['-c', 'import fastapi, uvicorn']).status !== 0) continue;
    const command = path.endsWith('.py') ? python : process.execPath;
    const app = ['--app-dir', join(file, '..')];
    const args = (port: number) => (isFastapi ? [...fastapi(port), ...app] : [file]);
    found.push({ name: path, code, command, args });
  }
  return found;
}

const receivers = [...(await receiversOfPages()), ...(await shops())];

test('receivers are found in the pages and the examples', () => {
  expect(receivers.length).toBeGreaterThanOrEqual(7);
});

describe.each(receivers)('what is published in $name', ({ code, command, args }) => {
  let child: ChildProcess | undefined;
  let errors = '';

  afterEach(async () => {
    if (child?.exitCode === null && child.signalCode === null && child.kill('SIGKILL'))
      await once(child, 'exit');
    child = undefined;
  });

  const settings = ['PIX_URL', 'PIX_API_KEY', 'WEBHOOK_SECRET'];
  // Nobody listens there: every create fails.
  const own = (port: number) => ({
    PATH: process.env['PATH'],
    HOME: process.env['HOME'],
    PYTHONPATH: join(root, 'packages/python'),
    PYTHONDONTWRITEBYTECODE: '1',
    PORT: String(port),
    PIX_URL: 'http://127.0.0.1:9',
  });

  function start(port: number, env: Record<string, string>): ChildProcess {
    errors = '';
    child = spawn(command, args(port), {
      env: { ...own(port), ...env },
      stdio: ['ignore', 'ignore', 'pipe'],
    });
    child.stderr?.on('data', (chunk: Buffer) => (errors += chunk.toString()));
    return child;
  }

  // What has a default may be missing.
  const asked = settings.filter((name) => new RegExp(`["'.]${name}\\b(?! \\?\\?)`).test(code));
  const complete = {
    PIX_URL: 'http://127.0.0.1:9',
    PIX_API_KEY: 'pk_test_none',
    WEBHOOK_SECRET: newWebhookSecret(),
  };

  test.each(asked)('says at its start that %s is missing', async (name) => {
    const [status] = (await once(start(await freePort(), { ...complete, [name]: '' }), 'close')) as [number];
    expect(status).not.toBe(0);
    expect(errors).toContain(`${name} is missing`);
  });

  test('survives what anybody may send, and a create that fails', async () => {
    const port = await freePort();
    start(port, complete);
    const url = `http://127.0.0.1:${port}`;
    const ask = async (path: string, init?: RequestInit) =>
      (await fetch(url + path, { signal: AbortSignal.timeout(20_000), ...init })).status;
    await eventually(() => ask('/orders/none'));

    /** Everything is sent, and the client leaves without waiting for an answer. */
    const leaveAfter = async (text: string) => {
      const socket = connect(port, '127.0.0.1');
      await once(socket, 'connect');
      await new Promise<void>((sent) => socket.write(text, () => sent()));
      socket.resetAndDestroy();
    };
    const post = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
    const forged = {
      'webhook-id': 'é',
      'webhook-timestamp': String(Math.floor(Date.now() / 1000)),
      'webhook-signature': 'v1,é v1 ,',
    };
    for (const path of ['/', '/webhook', '/orders']) {
      const head = `POST ${path} HTTP/1.1\r\nHost: x\r\n`;
      await leaveAfter(`${head}Content-Length: 100\r\n\r\n{"a`);
      await leaveAfter(`${head}Transfer-Encoding: chunked\r\n\r\n3\r\n{"a\r\n`);
      await leaveAfter(`${head}Content-Length: -1\r\n\r\n`);
      await leaveAfter(`${head}Content-Length: 99999999999\r\n\r\n{"a`);
      for (const body of ['', '{"a', '\0\ufffd', 'null', 'a'.repeat(2_000_000)])
        for (const headers of [post.headers, forged])
          // A receiver may hang up on what is too large.
          expect(await ask(path, { ...post, headers, body }).catch(() => 499)).toBeGreaterThanOrEqual(400);
    }
    await ask('/pix-checkout/none.js').catch(() => undefined);
    await ask('/').catch(() => undefined);

    expect(await ask('/orders/none')).toBeGreaterThanOrEqual(400);
    expect(child?.exitCode).toBeNull();
  });
});
