import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { createAuthority } from '../support/certificates.ts';
import { createClient } from '../support/client.ts';
import { pixProcess } from '../support/command-line.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { type PostgresServer, startPostgresServer } from '../support/postgres-server.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';
import { killServices, startService } from '../support/service-process.ts';

let directory: string;
let postgres: PostgresServer;
let redis: RedisServer;
/** The certificates of the authority that both servers have theirs of, and of another. */
let files: { own: string; other: string };

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'tls-'));
  const [own, other] = [createAuthority('Own CA'), createAuthority('Other CA')];
  files = { own: join(directory, 'own.pem'), other: join(directory, 'other.pem') };
  await writeFile(files.own, own.certificate);
  await writeFile(files.other, other.certificate);
  postgres = await startPostgresServer(own.issue('postgres'));
  redis = await startRedisServer(own.issue('redis'));
});

afterEach(killServices);

afterAll(async () => {
  await postgres.stop();
  await redis.stop();
  await rm(directory, { recursive: true, force: true });
});

const production = () => ({
  NODE_ENV: 'production',
  HOST: '127.0.0.1',
  METRICS_PORT: '0',
  STOP_DELAY_SECONDS: '0',
  PUBLIC_URL: 'https://pay.example.com',
  DATABASE_URL: `${postgres.url}?sslmode=verify-full&sslrootcert=${files.own}`,
  REDIS_URL: redis.url,
  NODE_EXTRA_CA_CERTS: files.own,
});

test('in production every connection to PostgreSQL and Redis is encrypted', async () => {
  const service = await startService(production());
  const client = createClient(service.baseUrl);
  expect((await client.get('/readyz')).body).toEqual({ status: 'ready', database: 'up', redis: 'up' });
  const connections = () =>
    query<{ application_name: string; ssl: boolean }>(
      postgres.url,
      `SELECT DISTINCT application_name, ssl FROM pg_stat_activity JOIN pg_stat_ssl USING (pid)
       WHERE application_name LIKE 'pix%' ORDER BY 1`,
    );
  // A node is ready before its listener is: it begins with nothing to tell.
  await eventually(async () =>
    expect(await connections()).toEqual([
      { application_name: 'pix-payment-service', ssl: true },
      { application_name: 'pix-payment-service listener', ssl: true },
    ]),
  );
  const { code, stdout } = await pixProcess(['org', 'list', '--json'], production());
  expect({ code, stdout }).toEqual({ code: 0, stdout: '[]\n' });
});

describe('a node does not start', () => {
  test.each([
    ['verify-full', 'the certificate of another authority', () => `&sslrootcert=${files.other}`],
    ['require', 'one that nobody knows, which is verified as well', () => ''],
  ])('with sslmode=%s on %s, without a warning of the driver', async (mode, _name, more) => {
    const { NODE_EXTRA_CA_CERTS: _, ...env } = production();
    const DATABASE_URL = `${postgres.url}?sslmode=${mode}${more()}`;
    const refusal = await startService({ ...env, DATABASE_URL }).then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(refusal).toMatch(/unable to verify|self-signed certificate|unable to get/);
    expect(refusal).not.toContain('SECURITY WARNING');
  });
});

test('a Redis with an untrusted certificate receives nothing, and payments continue', async () => {
  const service = await startService({ ...production(), NODE_EXTRA_CA_CERTS: files.other });
  const { status, body } = await createClient(service.baseUrl).get('/readyz');
  expect({ status, body }).toMatchObject({ status: 200, body: { database: 'up', redis: 'down' } });
});
