// An emulated Woovi in a process of its own, and an organization's credential there.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { endsWithThis } from './started-processes.ts';
import type { Bench } from './parts.ts';

export interface Psp {
  settings: { baseUrl?: string; appId?: string };
  /** Has its process do this to requests from now on. */
  fault(fault: { kind: string; milliseconds?: number }): Promise<void>;
  stop(): void;
}

export async function startPsp(): Promise<Psp> {
  const root = fileURLToPath(new URL('..', import.meta.url));
  const script = ['--import', './test/support/typescript.js', 'test/support/psp-emulator/main.ts'];
  const child = spawn(process.execPath, [...script, 'woovi'], {
    cwd: root,
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  endsWithThis(child.pid);
  const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
  const { settings, adminUrl } = JSON.parse(line) as Pick<Psp, 'settings'> & { adminUrl: string };
  return {
    settings,
    async fault(fault) {
      const body = JSON.stringify({ times: 1_000_000_000, ...fault });
      await fetch(`${adminUrl}/faults`, { method: 'POST', body });
    },
    stop: () => child.kill(),
  };
}

export async function credentialAt(bench: Bench, organizationId: string, { settings }: Psp): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'pix-bench-psp-'));
  const config = join(folder, 'settings.json');
  await writeFile(config, JSON.stringify(settings));
  const options = ['--org', organizationId, '--provider', 'woovi', '--name', 'Woovi', '--config', config];
  const { id } = await bench.pix('credential', 'create', ...options);
  await rm(folder, { recursive: true });
  return id;
}
