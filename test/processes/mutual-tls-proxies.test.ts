import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request, type RequestOptions } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test as testInstalled } from '@jest/globals';
import { type Certificate, createAuthority } from '../support/certificates.ts';
import { pix } from '../support/command-line.ts';
import { freshDatabase } from '../support/database.ts';
import { isInstalled, type Proxy, type ProxyName, startProxy } from '../support/proxies.ts';
import { killServices, startService } from '../support/service-process.ts';

const [servers, bank, other] = [
  createAuthority('Server CA'),
  createAuthority('Bank CA'),
  createAuthority('Other CA'),
];
const bankCertificate = bank.issue('bank');

let directory: string;
let servicePort: string;
let key: string;
let notificationPath: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'proxies-'));
  const server = servers.issue('pay.example.com');
  const files = {
    // HAProxy reads the key from the same file; nginx ignores it there.
    'server.pem': server.certificate + server.privateKey,
    'server.key': server.privateKey,
    'bank-ca.pem': bank.certificate,
    'bacen.json': JSON.stringify({
      preset: 'itau',
      clientId: 'client',
      clientSecret: 'secret',
      pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
      merchantName: 'Padaria',
      merchantCity: 'Ouro Preto',
      ...other.issue('client'),
    }),
  };
  await Promise.all(
    Object.entries(files).map(([name, content]) => writeFile(join(directory, name), content)),
  );

  const env = { DATABASE_URL: await freshDatabase(), PUBLIC_URL: 'https://pay.example.com' };
  const service = await startService({ ...env, TRUST_PROXY: 'loopback' });
  servicePort = new URL(service.baseUrl).port;
  const run = async (...args: string[]) =>
    JSON.parse((await pix([...args, '--json'], env)).stdout) as Record<
      'id' | 'key' | 'notificationUrl',
      string
    >;
  const { id: org } = await run('org', 'create', '--name', 'Shop');
  ({ key } = await run('key', 'create', '--org', org, '--mode', 'test'));
  const config = ['--config', join(directory, 'bacen.json')];
  const credential = await run(
    'credential',
    'create',
    '--org',
    org,
    '--provider',
    'bacen',
    '--name',
    'Itaú',
    ...config,
  );
  // The bank appends /pix.
  notificationPath = `${new URL(credential.notificationUrl).pathname}/pix`;
});

afterAll(async () => {
  await killServices();
  await rm(directory, { recursive: true, force: true });
});

interface Ask extends Pick<RequestOptions, 'method' | 'headers'> {
  certificate?: Certificate;
  body?: string;
}

/** `status` 101 is an upgrade. */
function ask(port: number, path: string, { certificate, body, ...options }: Ask = {}) {
  return new Promise<{ status: number | undefined; body: string }>((resolve, reject) => {
    const sent = request({
      host: '127.0.0.1',
      port,
      path,
      agent: false,
      ca: servers.certificate,
      ...(certificate && { cert: certificate.certificate, key: certificate.privateKey }),
      ...options,
    });
    sent.once('error', reject);
    sent.once('response', (response) => {
      text(response).then((read) => {
        resolve({ status: response.statusCode, body: read });
      }, reject);
    });
    sent.once('upgrade', ({ statusCode: status }, socket) => {
      socket.destroy();
      resolve({ status, body: '' });
    });
    sent.end(body);
  });
}

const programs: readonly ProxyName[] = ['nginx', 'haproxy'];

const installed = new Set(programs.filter(isInstalled));
for (const name of programs.filter((each) => !installed.has(each))) {
  process.stderr.write(`${name} is not installed: its configuration in docs/going-live is not tested\n`);
}

describe.each(programs)('behind %s, as the page configures it,', (name) => {
  const test = installed.has(name) ? testInstalled : testInstalled.skip;
  let proxy: Proxy;

  beforeAll(async () => {
    proxy = await startProxy(name, { directory, servicePort });
  });

  afterAll(async () => {
    await proxy.stop();
  });

  const notify = (options: Ask = {}) =>
    ask(proxy.port, notificationPath, {
      method: 'POST',
      body: '{"pix":[]}',
      ...options,
      headers: { 'content-type': 'application/json', ...options.headers },
    });

  test("a notification with the bank's certificate is accepted", async () => {
    expect(await notify({ certificate: bankCertificate })).toEqual({
      status: 200,
      body: '{"received":true}',
    });
  });

  test('one without a certificate is refused, whatever it says of itself', async () => {
    expect(await notify()).toMatchObject({ status: 401 });
    expect(await notify({ headers: { 'x-ssl-client-verify': 'SUCCESS' } })).toMatchObject({ status: 401 });
  });

  test('one with a certificate of another authority does not reach the service', async () => {
    const { status, body } = await notify({ certificate: other.issue('bank') }).catch((error: Error) => ({
      status: 'TLS',
      body: error.message,
    }));
    expect([400, 'TLS']).toContain(status);
    expect(body).toMatch(/SSL certificate error|alert|ECONNRESET|socket hang up/i);
  });

  test('API, dashboard and live updates of the same host need no certificate', async () => {
    const headers = { 'x-api-key': key, 'content-type': 'application/json' };
    const payment = { method: 'POST', headers, body: '{"amount":1}' };
    expect(await ask(proxy.port, '/v1/payments', payment)).toMatchObject({ status: 201 });
    const page = await ask(proxy.port, '/dashboard', { headers: { accept: 'text/html' } });
    expect(page).toMatchObject({ status: 200, body: expect.stringContaining('<!doctype html>') });
    const upgrade = {
      connection: 'Upgrade',
      upgrade: 'websocket',
      'sec-websocket-version': '13',
      'sec-websocket-key': 'dGhlIHNhbXBsZSBub25jZQ==',
      'sec-websocket-protocol': 'graphql-transport-ws',
    };
    expect(await ask(proxy.port, '/graphql', { headers: upgrade })).toMatchObject({ status: 101 });
  });
});
