// What runs for the shop: nginx, two nodes and a worker, PostgreSQL with a standby and an archive, Redis over TLS, a bank, a
// provider, and whoever is told of something.
import { execFile, spawnSync } from 'node:child_process';
import { chmod, mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { alertKinds } from '../../src/core/health/rules/conditions.ts';
import { createAuthority } from '../../test/support/certificates.ts';
import { query } from '../../test/support/database.ts';
import { engineEnv } from '../../test/support/engine-programs.ts';
import { freePort } from '../../test/support/free-port.ts';
import { startMailServer } from '../../test/support/mail-server.ts';
import { startNginx } from '../../test/support/nginx.ts';
import { startPostgresPair } from '../../test/support/postgres-pair.ts';
import { defineBacen } from '../../test/support/psp-emulator/bacen.ts';
import { startEmulator, type PspEmulator } from '../../test/support/psp-emulator/core.ts';
import { woovi } from '../../test/support/psp-emulator/woovi.ts';
import { startRedisServer } from '../../test/support/redis-server.ts';
import { memoryFlags, type ServiceProcess, startService } from '../../test/support/service-process.ts';
import { testKeys } from '../../test/support/test-keys.ts';
import { startWebhookReceiver } from '../../test/support/webhook-receiver.ts';
import { clockEnv, dayMs } from './clock.ts';

const run = promisify(execFile);
const project = resolve(import.meta.dirname, '../..');

/** So that it can be filled up. */
const diskMegabytes = 1_500;

// A clock that is moved is silence to those who replicate.
const postgresSettings = (archive: string) => `
wal_sender_timeout = 0
wal_receiver_timeout = 0
max_wal_size = 256MB
wal_compression = on
archive_mode = on
archive_timeout = 60
archive_command = '${project}/deploy/postgresql/archive-wal %p ${archive}/%f.gz'
`;

interface Node {
  readonly name: string;
  readonly role: 'api' | 'worker';
  readonly port: number;
  service: ServiceProcess | undefined;
}

export interface Account {
  credentialId: string;
  emulator: PspEmulator;
}

async function openDisk(): Promise<{ folder: string; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'ten-days-disk-'));
  await run('mount', ['-t', 'tmpfs', '-o', `size=${diskMegabytes}m`, 'ten-days', folder]);
  return {
    folder,
    async close() {
      await run('umount', [folder]);
      await rm(folder, { recursive: true });
    },
  };
}

export type Machines = Awaited<ReturnType<typeof startMachines>>;

/** The nodes begin with the release of that folder. */
export async function startMachines(release: string, certificateDays: number) {
  let directory = release;
  const home = await mkdtemp(join(tmpdir(), 'ten-days-'));
  await chmod(home, 0o755);
  const backups = join(home, 'backups');
  await mkdir(join(backups, 'wal'), { recursive: true });
  await run('chown', ['-R', 'postgres', backups]);
  const disk = await openDisk();
  const ballast = join(disk.folder, 'ballast');
  let filling: NodeJS.Timeout | undefined;
  const pair = await startPostgresPair({
    home: join(disk.folder, 'pair'),
    settings: postgresSettings(join(backups, 'wal')),
  });
  const authority = createAuthority('Shop CA');
  // Its allocator asks for the time before libfaketime can tell it: Redis stays in real time, which only its expiry goes by.
  delete process.env['LD_PRELOAD'];
  const redis = await startRedisServer(authority.issue('redis'));
  Object.assign(process.env, clockEnv);
  const caFile = join(home, 'ca.pem');
  await writeFile(caFile, authority.certificate);
  const [mail, shop, ops] = [
    await startMailServer(),
    await startWebhookReceiver(),
    await startWebhookReceiver(),
  ];
  const env = {
    ...clockEnv,
    DATABASE_URL: pair.url,
    REDIS_URL: redis.url,
    NODE_EXTRA_CA_CERTS: caFile,
    ENCRYPTION_KEYS: testKeys,
    WEBHOOK_ALLOWED_HOSTS: '127.0.0.1',
    PUBLIC_URL: 'https://pay.example.com',
    TRUST_PROXY: '1',
    SMTP_URL: mail.url,
    SMTP_FROM: 'Pix <pix@example.com>',
    STOP_DELAY_SECONDS: '1',
    RETENTION_DELIVERY_DAYS: '7',
  };
  // Nothing is left of a run that fails.
  process.once('exit', () => {
    for (const pid of [...pair.pids, redis.pid, ...nodes.map(({ service }) => service?.process.pid ?? 0)])
      if (pid > 0) spawnSync('kill', ['-KILL', String(pid)]);
    spawnSync('umount', ['-l', disk.folder]);
  });
  const nodes: Node[] = [
    { name: 'node 1', role: 'api', port: await freePort(), service: undefined },
    { name: 'node 2', role: 'api', port: await freePort(), service: undefined },
    { name: 'worker', role: 'worker', port: await freePort(), service: undefined },
  ];
  const flags = await memoryFlags();

  async function startNode(node: Node): Promise<void> {
    const own = { ...env, PORT: String(node.port), ROLE: node.role };
    node.service = await startService(own, flags, directory);
  }

  async function stopNode(node: Node): Promise<void> {
    await node.service?.end('SIGTERM');
    node.service = undefined;
  }

  async function pix<Printed>(...args: string[]): Promise<Printed> {
    const { stdout } = await run(process.execPath, ['dist/cli.js', ...args, '--json'], {
      cwd: directory,
      env: { PATH: process.env['PATH'], ...env },
      maxBuffer: 64_000_000,
    }).catch((error: { stdout?: string; message: string }) => {
      // A command that has found something exits with 1.
      if (error.stdout) return { stdout: error.stdout };
      throw new Error(error.message);
    });
    return JSON.parse(stdout) as Printed;
  }

  let files = 0;
  const settingsFile = async (settings: object): Promise<string> => {
    const file = join(home, `settings-${(files += 1)}.json`);
    await writeFile(file, JSON.stringify(settings));
    return file;
  };

  const [first, second] = nodes;
  const nginx = await startNginx([first?.port ?? 0, second?.port ?? 0]);
  const { id: organizationId } = await pix<{ id: string }>('org', 'create', '--name', 'Busy shop');

  const bankAuthority = createAuthority('Bank CA');
  const now = Date.now();
  const bankCertificate = (days: number) =>
    bankAuthority.issue('receiver', {
      from: new Date(now - dayMs),
      until: new Date(now + days * dayMs),
    });

  async function openAccount(provider: string, emulator: PspEmulator, more: object): Promise<Account> {
    const file = await settingsFile({ ...emulator.settings, ...more });
    const args = ['--org', organizationId, '--provider', provider, '--name', provider, '--config', file];
    const created = await pix<{ id: string; notificationUrl: string }>(
      'credential',
      'create',
      ...args,
      ...(provider === 'woovi' ? ['--default'] : []),
    );
    // Over the proxy, as a bank would.
    emulator.notifier.address = new URL(new URL(created.notificationUrl).pathname, nginx.baseUrl).href;
    return { credentialId: created.id, emulator };
  }

  const [provider, bank] = await Promise.all([
    openAccount('woovi', await startEmulator(woovi), {}),
    openAccount('bacen', await startEmulator(defineBacen('standard', bankAuthority)), {
      ...bankCertificate(certificateDays),
      notificationAuth: 'urlToken',
    }),
  ]);
  /** Live endpoints need TLS, which the receivers have not. */
  async function subscribe(url: string, events: string): Promise<void> {
    const secure = url.replace('http:', 'https:');
    const args = ['--org', organizationId, '--mode', 'live', '--url', secure, '--events', events];
    await pix('webhook', 'create', ...args);
    await query(pair.admin, `UPDATE webhook_endpoint SET url = $1 WHERE url = $2`, [url, secure]);
  }

  const rules = await settingsFile({
    ranges: [{ from: 0.01, to: 50, credentialId: bank.credentialId }],
    defaultCredentialId: provider.credentialId,
    fallbackCredentialIds: [bank.credentialId, provider.credentialId],
  });
  const [{ id: ruleSetId }, { key }] = await Promise.all([
    pix<{ id: string }>('ruleset', 'create', '--org', organizationId, '--name', 'Both', '--rules', rules),
    pix<{ key: string }>('key', 'create', '--org', organizationId, '--mode', 'live'),
    subscribe(shop.url, 'payment_completed,payment_expired,payment_refunded,payment_cancelled'),
    subscribe(ops.url, 'ops_alert_opened,ops_alert_closed'),
    pix('user', 'create', '--org', organizationId, '--email', 'owner@example.com', '--role', 'owner'),
  ]);
  // Before the nodes start: the first alert comes at once.
  await query(
    pair.admin,
    `INSERT INTO alert_preference (organization_id, user_id, kinds, language)
     SELECT organization_id, user_id, $1, 'en' FROM member WHERE organization_id = $2`,
    [alertKinds, organizationId],
  );
  for (const node of nodes) await startNode(node);

  return {
    organizationId,
    key,
    ruleSetId,
    nginx,
    nodes,
    pair,
    redis,
    backups,
    disk: disk.folder,
    mail,
    shop,
    ops,
    provider,
    bank,
    accounts: [provider, bank],
    pix,
    /** Does what `first-deployment` and a timer do every night. */
    async backUp() {
      const { port } = new URL(pair.admin);
      const { uid, gid } = await stat(backups);
      await run(join(project, 'deploy/postgresql/backup'), [backups, '7'], {
        cwd: '/',
        uid,
        gid,
        // Files are as old as the real clock says.
        env: { ...engineEnv, LD_PRELOAD: '', PGHOST: '127.0.0.1', PGPORT: port, PGUSER: 'postgres' },
      });
    },
    async failOver() {
      await pair.killPrimary();
      await pair.promote();
    },
    /** Until nothing is left for the log of the database, and goes on: PostgreSQL frees some when it starts again. */
    async fillDisk() {
      const fill = () => run('sh', ['-c', `cat /dev/zero >> ${ballast}`]).catch(() => undefined);
      await fill();
      filling = setInterval(() => void fill(), 500);
      // It has segments in reserve.
      for (let segment = 0; segment < 64; segment += 1) {
        const failed = await query(
          pair.admin,
          `SELECT pg_logical_emit_message(false, 'ballast', 'ballast'), pg_switch_wal()`,
        ).catch(String);
        if (typeof failed === 'string') return `the database: ${failed}`;
      }
      throw new Error('the log of the database still finds space');
    },
    async freeDisk() {
      clearInterval(filling);
      await rm(ballast);
      await pair.revive();
    },
    /** One after the other; the first migrates. */
    async upgrade() {
      directory = project;
      for (const node of nodes) {
        await stopNode(node);
        await startNode(node);
      }
    },
    async renewCertificate() {
      const file = await settingsFile(bankCertificate(365));
      await pix('credential', 'update', '--id', bank.credentialId, '--config', file);
    },
    /** What docs/operating/backups.md says to do. */
    async restore(moment: string) {
      await query(pair.admin, 'SELECT pg_switch_wal()');
      for (const node of nodes) await stopNode(node);
      await pair.restoreTo(moment, backups);
      const found = await pix<{ payments: object[]; accounts: object[] }>('restore', 'check');
      for (const node of nodes) await startNode(node);
      return found;
    },
    async stop() {
      for (const node of nodes) await stopNode(node);
      await nginx.stop();
      for (const { emulator } of [provider, bank]) await emulator.stop();
      await redis.stop();
      await pair.stop();
      for (const each of [mail, shop, ops]) await each.stop();
      await disk.close();
      await rm(home, { recursive: true, force: true });
    },
  };
}
