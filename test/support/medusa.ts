import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

const run = promisify(execFile);
const admin = { email: 'admin@example.com', password: 'of-the-shop-1' };

/** Answers of Medusa: a test knows what it expects. */
// oxlint-disable-next-line typescript/no-explicit-any
type Body = any;

interface Response {
  status: number;
  body: Body;
}

export interface Medusa {
  address: string;
  /** What it has printed. */
  log(): string;
  /** As the administrator under `/admin`, as a storefront under `/store`. Throws unless it succeeds. */
  call(path: string, body?: object): Promise<Body>;
  /** The same, whatever the status. */
  send(path: string, body?: object): Promise<Response>;
  stop(): Promise<void>;
}

/** The Medusa of a project whose packages are installed, with a database and an administrator. */
export async function startMedusa(directory: string, env: Record<string, string>): Promise<Medusa> {
  const port = await freePort();
  const address = `http://127.0.0.1:${port}`;
  const own = {
    PATH: process.env['PATH'] ?? '',
    HOME: process.env['HOME'] ?? '',
    MEDUSA_DISABLE_TELEMETRY: 'true',
    JWT_SECRET: 'of-tests',
    COOKIE_SECRET: 'of-tests',
    ...env,
  };
  const medusa = (...args: string[]): [string, string[], { cwd: string; env: typeof own }] => [
    process.execPath,
    ['node_modules/.bin/medusa', ...args],
    { cwd: directory, env: own },
  ];
  await run(...medusa('db:migrate'));
  await run(...medusa('user', '-e', admin.email, '-p', admin.password));
  const server: ChildProcess = spawn(...medusa('start', '--port', String(port), '--host', '127.0.0.1'));
  let log = '';
  for (const stream of [server.stdout, server.stderr])
    stream?.setEncoding('utf8').on('data', (text: string) => (log += text));
  const credentials: Record<string, string> = {};

  async function send(path: string, body?: object): Promise<Response> {
    const method = body ? 'POST' : 'GET';
    const headers = { 'Content-Type': 'application/json', ...credentials };
    const init = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    const response = await fetch(address + path, init);
    return { status: response.status, body: await response.json() };
  }

  async function call(path: string, body?: object): Promise<Body> {
    const answer = await send(path, body);
    if (answer.status !== 200) throw new Error(`${path}: ${JSON.stringify(answer)}`);
    return answer.body;
  }

  async function stop(): Promise<void> {
    if (server.exitCode === null && server.kill()) await once(server, 'exit');
  }

  try {
    await eventually(() => fetch(`${address}/health`), 120_000);
    credentials['Authorization'] = `Bearer ${(await call('/auth/user/emailpass', admin)).token}`;
    const { sales_channel } = await call('/admin/sales-channels', { name: 'Shop' });
    const { api_key } = await call('/admin/api-keys', { title: 'Shop', type: 'publishable' });
    await call(`/admin/api-keys/${api_key.id}/sales-channels`, { add: [sales_channel.id] });
    credentials['x-publishable-api-key'] = api_key.token;
  } catch (error) {
    await stop();
    throw new Error(`Medusa did not start: ${log.slice(-2000)}`, { cause: error });
  }
  return { address, log: () => log, call, send, stop };
}
