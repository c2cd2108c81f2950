import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { createClient } from '../support/client.ts';
import { catalogue } from '../support/catalogue.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { killServices, type ServiceProcess, startService } from '../support/service-process.ts';
import { insertHistory } from '../support/upgrade/history.ts';
import { inconsistencies } from '../support/upgrade/inconsistencies.ts';
import { startUpgradeLoad, type UpgradeLoad } from '../support/upgrade/load.ts';
import { buildRelease, findRelease, runCommandOf } from '../support/upgrade/release.ts';
import { startWebhookReceiver, type WebhookReceiver } from '../support/webhook-receiver.ts';

const payments = Number(process.env['UPGRADE_PAYMENTS'] ?? 20_000);
const clients = 6;
const release = findRelease();
if (!release)
  process.stderr.write('SKIPPED upgrade: this clone has no earlier release (git fetch --tags --unshallow)\n');

(release ? describe : describe.skip)(`from ${release?.version}`, () => {
  let server: PostgresServer;
  let directory: string;
  let key: string;
  let receiver: WebhookReceiver;
  let old: ServiceProcess;
  let load: UpgradeLoad;

  const environment = () => ({ DATABASE_URL: server.url, WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  const startOld = () => startService(environment(), [], directory);

  beforeAll(async () => {
    if (!release) return;
    directory = await buildRelease(release);
    server = await startPostgresServer();
    receiver = await startWebhookReceiver();
    const command = <T>(...args: string[]) => runCommandOf<T>(directory, server.url, ...args);
    const { id } = await command<{ id: string }>('org', 'create', '--name', 'Shop');
    ({ key } = await command<{ key: string }>('key', 'create', '--org', id, '--mode', 'test'));
    const client = new pg.Client(server.url);
    await client.connect();
    await insertHistory(client, id, payments);
    await client.end();
    await command('webhook', 'create', '--org', id, '--mode', 'test', '--url', receiver.url);
    old = await startOld();
    load = startUpgradeLoad(key, [old.baseUrl], clients);
  }, 900_000);

  afterAll(async () => {
    await load.stop();
    await killServices();
    await receiver.stop();
    await server.stop();
  });

  /** Until each client has finished payments that it began from now on. */
  async function worked(phase: string): Promise<void> {
    const enough = load.finished.length + clients * 5;
    await eventually(
      () => expect(load.finished.length + load.failures.length).toBeGreaterThan(enough),
      180_000,
    );
    process.stdout.write(`${phase}: slowest requests in ms ${JSON.stringify(load.slowest())}\n`);
  }

  test('old nodes work on while a new one migrates and beside it, and no request fails', async () => {
    await worked('before');
    const startedAt = performance.now();
    const fresh = await startService(environment());
    const seconds = Math.round((performance.now() - startedAt) / 1_000);
    await worked(`${payments} payments migrated in ${seconds} s`);
    const another = await startOld();
    load.nodes = [old.baseUrl, another.baseUrl, fresh.baseUrl];
    await worked('old and new nodes');
    load.nodes = [fresh.baseUrl];
    await worked('new node alone');
    await load.stop();
    expect(load.failures).toEqual([]);
    expect(await inconsistencies(server.url, load.finished)).toEqual([]);
    expect(await Promise.all([old.end('SIGTERM'), another.end('SIGTERM')])).toEqual([0, 0]);

    const client = createClient(fresh.baseUrl, key);
    for (const id of load.finished) {
      const { body } = await client.get(`/v1/payments/${id}`);
      expect(body).toMatchObject({ status: 'refunded', amountRefunded: 10 });
      expect((await client.get(`/v1/payments/${id}/refunds`)).body.data).toHaveLength(2);
    }
  }, 900_000);

  test('the schema has become that of a new database', async () => {
    expect(await catalogue(server.url)).toEqual(await catalogue(await freshDatabase()));
  });

  test('every event since has reached the endpoint', async () => {
    const [{ made } = { made: 0 }] = await query<{ made: number }>(
      server.url,
      'SELECT count(DISTINCT event_id)::int AS made FROM webhook_delivery',
    );
    expect(made).toBeGreaterThanOrEqual(load.finished.length * 2);
    await eventually(() => {
      const ids = new Set(receiver.requests.map(({ headers }) => headers['webhook-id']));
      expect(ids.size).toBe(made);
    }, 60_000);
  });
});
