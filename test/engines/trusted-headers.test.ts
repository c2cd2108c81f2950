import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { request } from 'node:https';
import { type AddressInfo, connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { json } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { parse } from 'yaml';
import { createAuthority } from '../support/certificates.ts';
import { engineEnv } from '../support/engine-programs.ts';
import { describeWith } from '../support/engines.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startHaproxy } from '../support/haproxy.ts';
import { type ProxyName, startProxy } from '../support/proxies.ts';

const deploy = resolve(import.meta.dirname, '../../deploy');

const authority = createAuthority('Server CA');
let directory: string;
/** Says what it is told. */
let node: Server;
let nodePort: number;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'trusted-headers-'));
  const { certificate, privateKey } = authority.issue('pay.example.com');
  await writeFile(join(directory, 'server.pem'), certificate + privateKey);
  await writeFile(join(directory, 'server.key'), privateKey);
  await writeFile(join(directory, 'bank-ca.pem'), createAuthority('Bank CA').certificate);
  node = createServer(({ headers }, response) => response.end(JSON.stringify(headers)));
  node.listen(0, '127.0.0.1');
  await once(node, 'listening');
  nodePort = (node.address() as AddressInfo).port;
});

afterAll(async () => {
  node.close();
  await rm(directory, { recursive: true, force: true });
});

/** What a stranger says of themselves, in the words of a proxy. */
const claims = {
  'X-SSL-Client-Verify': 'SUCCESS',
  'X-Forwarded-For': '203.0.113.7',
  'X-Forwarded-Proto': 'http',
};

const seenBehind = (port: number): Promise<IncomingHttpHeaders> =>
  new Promise((done, fail) => {
    const options = { host: '127.0.0.1', port, agent: false, rejectUnauthorized: false, headers: claims };
    request(options, (response) => json(response).then((body) => done(body as IncomingHttpHeaders), fail))
      .once('error', fail)
      .end();
  });

async function expectOwnWords(port: number): Promise<void> {
  const seen = await seenBehind(port);
  expect(seen).toMatchObject({ 'x-forwarded-for': '127.0.0.1', 'x-forwarded-proto': 'https' });
  // Nobody has shown a certificate.
  expect([undefined, 'NONE']).toContain(seen['x-ssl-client-verify']);
}

const listens = (port: number) =>
  eventually(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  });

describeWith(['nginx', 'haproxy'], 'a node is told of the client by its proxy alone', () => {
  test.each<ProxyName>(['nginx', 'haproxy'])('behind %s, as for mutual TLS', async (name) => {
    const proxy = await startProxy(name, { directory, servicePort: String(nodePort) });
    try {
      await expectOwnWords(proxy.port);
    } finally {
      await proxy.stop();
    }
  });

  test('behind deploy/haproxy', async () => {
    const proxy = await startHaproxy([nodePort, nodePort]);
    try {
      await eventually(() => expectOwnWords(Number(new URL(proxy.baseUrl).port)));
    } finally {
      await proxy.stop();
    }
  });

  test('behind deploy/nginx, which Compose uses', async () => {
    const port = await freePort();
    for (const file of ['compose/nginx.conf', 'nginx/nodes.conf', 'nginx/pix.conf']) {
      const code = (await readFile(join(deploy, file), 'utf8'))
        .replaceAll(/(\/run\/secrets|\/etc\/pix|(?<= )\/tmp)\//g, `${directory}/`)
        .replace('listen 8443', `listen 127.0.0.1:${port}`)
        .replaceAll(/172\.30\.90\.1[12]:3000/g, `127.0.0.1:${nodePort}`);
      await writeFile(join(directory, file.replace(/.*\//, '')), code);
    }
    const options = [
      '-p',
      directory,
      '-e',
      'stderr',
      '-c',
      join(directory, 'nginx.conf'),
      '-g',
      'daemon off;',
    ];
    const nginx = spawn('nginx', options, { env: engineEnv, stdio: 'ignore' });
    try {
      await listens(port);
      await expectOwnWords(port);
    } finally {
      const ended = once(nginx, 'exit');
      nginx.kill('SIGTERM');
      await ended;
    }
  });
});

describe('deploy/kubernetes', () => {
  test('has the ingress controller remove what a stranger says of a certificate', async () => {
    const overlay = join(deploy, 'kubernetes/overlays/example');
    const read = async (file: string) =>
      parse(await readFile(join(overlay, file), 'utf8')) as Record<string, unknown>;
    expect((await read('kustomization.yaml'))['resources']).toContain('request-headers.yaml');
    // ingress-nginx passes no header that is empty, and replaces the X-Forwarded ones itself.
    expect((await read('request-headers.yaml'))['data']).toEqual({ 'X-SSL-Client-Verify': '' });
  });
});
