import { spawn, spawnSync, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { connect } from 'node:net';
import { join } from 'node:path';
import { eventually } from './eventually.ts';
import { freePort } from './free-port.ts';

export type ProxyName = 'nginx' | 'haproxy';

export interface Proxy {
  port: number;
  stop(): Promise<void>;
}

/** Debian installs both where only root looks. */
const env = { ...process.env, PATH: `${process.env['PATH']}:/usr/sbin` };

export const isInstalled = (name: ProxyName): boolean =>
  spawnSync(name, ['-v'], { env, stdio: 'ignore' }).status === 0;

const page = new URL('../../docs/going-live/mutual-tls.md', import.meta.url);

function documented(name: ProxyName): string {
  const [, code] = new RegExp(`\`\`\`${name}\n([^]*?)\`\`\``).exec(readFileSync(page, 'utf8')) ?? [];
  if (!code) throw new Error(`the page has no configuration for ${name}`);
  return code;
}

/** What surrounds the page's part: in the foreground, and nothing outside the directory. */
const around: Record<ProxyName, (code: string, directory: string) => string> = {
  nginx: (code, directory) => {
    const kinds = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
    const paths = kinds.map((kind) => `${kind}_temp_path ${directory}/${kind};`).join('\n');
    return `daemon off;\nmaster_process off;\npid ${directory}/nginx.pid;\nevents {}\nhttp {\naccess_log off;\n${paths}\n${code}}\n`;
  },
  haproxy: (code) => code,
};

const argumentsOf: Record<ProxyName, (file: string, directory: string) => string[]> = {
  nginx: (file, directory) => ['-p', directory, '-e', 'stderr', '-c', file],
  // -dW: what it only warns of would reach the reader too.
  haproxy: (file) => ['-db', '-dW', '-f', file],
};

/** With the configuration of docs/going-live/mutual-tls.md, its port, paths and service replaced. */
export async function startProxy(
  name: ProxyName,
  { directory, servicePort }: { directory: string; servicePort: string },
): Promise<Proxy> {
  const port = await freePort();
  const code = documented(name)
    .replaceAll('/etc/pix/', `${directory}/`)
    .replace(/^( *listen) 443/m, `$1 127.0.0.1:${port}`)
    .replace(/^( *bind) :443/m, `$1 127.0.0.1:${port}`)
    .replace('127.0.0.1:3000', `127.0.0.1:${servicePort}`);
  const file = join(directory, `${name}.conf`);
  await writeFile(file, around[name](code, directory));
  const child = spawn(name, argumentsOf[name](file, directory), { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text: Buffer) => (said += text));
  try {
    await eventually(() => {
      if (child.exitCode !== null) throw new Error(`${name} ended: ${said}`);
      return accepts(port);
    });
  } catch (error) {
    await ended(child);
    throw error;
  }
  return { port, stop: () => ended(child) };
}

async function accepts(port: number): Promise<void> {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  socket.destroy();
}

async function ended(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'close');
}
