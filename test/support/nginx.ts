import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { createAuthority } from './certificates.ts';
import { engineEnv } from './engine-programs.ts';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';
import type { Proxy } from './haproxy.ts';

const deploy = resolve(import.meta.dirname, '../../deploy');

export interface Nginx extends Proxy {
  port: number;
  nodesFile: string;
  /** Of the command, so that it finds the process. */
  args: string[];
}

/** Has the configuration of deploy, before nodes at two ports of loopback; without TLS if `isPlain`. */
export async function startNginx(
  [first, second]: readonly [number, number],
  { isPlain = false } = {},
): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), 'nginx-'));
  const authority = createAuthority('Server CA');
  const port = await freePort();
  const { certificate, privateKey } = authority.issue('pay.example.com');
  await writeFile(join(folder, 'server.pem'), certificate);
  await writeFile(join(folder, 'server.key'), privateKey);
  // Where each directive leads in the container, led to this folder.
  const here = (code: string): string =>
    code
      .replaceAll(/(\/run\/secrets|\/etc\/pix|(?<= )\/tmp)\//g, `${folder}/`)
      .replace(isPlain ? 'listen 8443 ssl http2' : 'listen 8443', `listen 127.0.0.1:${port}`)
      .replaceAll(isPlain ? /^ *ssl_.*;$/gm : /$^/g, '')
      .replace('172.30.90.11:3000', `127.0.0.1:${first}`)
      .replace('172.30.90.12:3000', `127.0.0.1:${second}`);
  for (const file of ['compose/nginx.conf', 'nginx/nodes.conf', 'nginx/pix.conf'])
    await writeFile(join(folder, file.replace(/.*\//, '')), here(await readFile(join(deploy, file), 'utf8')));
  const args = ['-p', folder, '-e', 'stderr', '-c', join(folder, 'nginx.conf')];
  // Root may bind any address; the image runs it as somebody else.
  const child: ChildProcess = spawn('nginx', [...args, '-g', 'daemon off; user root;'], {
    env: engineEnv,
    stdio: 'ignore',
  });
  await eventually(async () => {
    if (child.exitCode !== null) throw new Error('nginx ended');
    const socket = connect(port, '127.0.0.1');
    await once(socket, 'connect');
    socket.destroy();
  });
  return {
    baseUrl: `${isPlain ? 'http' : 'https'}://127.0.0.1:${port}`,
    ca: authority.certificate,
    port,
    nodesFile: join(folder, 'nodes.conf'),
    args,
    async stop() {
      const ended = once(child, 'close');
      child.kill('SIGTERM');
      await ended;
      await rm(folder, { recursive: true, force: true });
    },
  };
}
