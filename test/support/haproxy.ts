import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createAuthority } from './certificates.ts';
import { engineEnv } from './engine-programs.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

export interface Proxy {
  /** Over TLS. */
  baseUrl: string;
  /** The authority of its certificate. */
  ca: string;
  stop(): Promise<void>;
}

const configuration = fileURLToPath(new URL('../../deploy/haproxy/haproxy.cfg', import.meta.url));

/** Has the configuration that is documented, before nodes at two ports of loopback. */
export async function startHaproxy([first, second]: readonly [number, number]): Promise<Proxy> {
  const directory = await mkdtemp(join(tmpdir(), 'haproxy-'));
  const authority = createAuthority('Test authority');
  const { certificate, privateKey } = authority.issue('localhost');
  const pem = join(directory, 'certificate.pem');
  await writeFile(pem, `${certificate}\n${privateKey}\n`);
  const port = await freePort();
  const child = spawn('haproxy', ['-f', configuration], {
    env: {
      ...engineEnv,
      PIX_BIND: `127.0.0.1:${port}`,
      PIX_CERTIFICATE: pem,
      PIX_NODE_1: `127.0.0.1:${first}`,
      PIX_NODE_2: `127.0.0.1:${second}`,
    },
    stdio: 'ignore',
  });
  await eventually(async () => {
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  });
  return {
    baseUrl: `https://127.0.0.1:${port}`,
    ca: authority.certificate,
    async stop() {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
      await rm(directory, { recursive: true, force: true });
    },
  };
}
