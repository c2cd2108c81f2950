import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { rmSync } from 'node:fs';
import { mkdir, mkdtemp, readdir, readFile, stat, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import pg from 'pg';
import {
  connectEmbeddedPostgres,
  type EmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../src/database/embedded-postgres/embedded-postgres.ts';
import { eventually } from '../support/eventually.ts';

interface Line {
  databaseUrl?: string;
  error?: string;
  message?: string;
}

const script = fileURLToPath(new URL('../support/embedded-postgres-process.js', import.meta.url));
const settings = { fsync: 'off' };
const children: ChildProcess[] = [];
const opened: EmbeddedPostgres[] = [];
let root: string;
/** Has a database that the tests use one after the other. */
let dataDirectory: string;

beforeAll(async () => {
  root = await mkdtemp(join(tmpdir(), 'embedded-postgres-'));
  dataDirectory = join(root, 'data');
  const postgres = await startEmbeddedPostgres({ dataDirectory, settings });
  await query(postgres.databaseUrl, 'CREATE TABLE note (text text)');
  await postgres.stop();
});

afterEach(async () => {
  for (const child of children.splice(0)) await kill(child);
  for (const postgres of opened.splice(0)) await postgres.stop();
  await stopLeftovers();
});

afterAll(() => rmSync(root, { recursive: true, force: true }));

/** A process that is a service or a command, and the first line it prints that has one of the members. */
function run(role: 'service' | 'command', directory = dataDirectory) {
  const child = spawn(process.execPath, [script, role, directory], {
    stdio: ['pipe', 'pipe', 'inherit'],
    detached: true,
  });
  children.push(child);
  const lines: Line[] = [];
  const reader = createInterface({ input: child.stdout }).on('line', (line) =>
    lines.push(JSON.parse(line) as Line),
  );
  const ended = once(child, 'exit');
  async function line(member: keyof Line): Promise<string> {
    for (;;) {
      const found = lines.find((candidate) => member in candidate)?.[member];
      if (found !== undefined) return found;
      await Promise.race([
        once(reader, 'line'),
        ended.then(() => Promise.reject(new Error(JSON.stringify(lines)))),
      ]);
    }
  }
  const stop = async () => {
    child.stdin.end();
    await ended;
  };
  return { child, line, stop };
}

async function kill(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill('SIGKILL');
  await once(child, 'exit');
}

const lockFileOf = (directory: string) => join(directory, 'postgres', 'postmaster.pid');

const postmasterOf = (directory: string) =>
  readFile(lockFileOf(directory), 'utf8').then(
    (content) => Number(content.split('\n')[0]),
    () => undefined,
  );

async function stopLeftovers(): Promise<void> {
  for (const name of await readdir(root)) {
    if ((await postmasterOf(join(root, name))) === undefined) continue;
    const postgres = await startEmbeddedPostgres({ dataDirectory: join(root, name), settings });
    await postgres.stop();
  }
}

async function query(databaseUrl: string, sql: string): Promise<Record<string, unknown>[]> {
  const client = new pg.Client(databaseUrl);
  await client.connect();
  try {
    const { rows } = await client.query<Record<string, unknown>>(sql);
    return rows;
  } finally {
    await client.end();
  }
}

async function start(open = startEmbeddedPostgres, directory = dataDirectory): Promise<EmbeddedPostgres> {
  const postgres = await open({ dataDirectory: directory, settings });
  opened.push(postgres);
  return postgres;
}

const connect = () => start(connectEmbeddedPostgres);
const answers = async (databaseUrl: string) => (await query(databaseUrl, 'SELECT')).length === 1;
const notes = (databaseUrl: string) => query(databaseUrl, 'SELECT text FROM note');

describe('a starting service', () => {
  it('is refused while another one runs, and told which', async () => {
    const other = run('service');
    await other.line('databaseUrl');
    await expect(start()).rejects.toThrow(
      `${join(dataDirectory, 'postgres')} is in use by a running service (pid ${other.child.pid})`,
    );
  });

  it('wins alone when two start at once in an empty folder', async () => {
    const empty = join(root, 'race');
    const rivals = [run('service', empty), run('service', empty)];
    const outcomes = await Promise.all(
      rivals.map(({ line }) => Promise.race([line('databaseUrl'), line('error')]).catch(String)),
    );
    expect(outcomes.filter((outcome) => outcome.startsWith('postgresql://'))).toHaveLength(1);
    expect(outcomes.filter((outcome) => outcome.includes('is in use by a running service'))).toHaveLength(1);
    expect(new Set(await readdir(empty))).toEqual(new Set(['postgres', 'postgres.log']));
  });

  it('refuses a folder that is not its own', async () => {
    const foreign = join(root, 'foreign');
    await mkdir(join(foreign, 'postgres'), { recursive: true });
    await expect(start(startEmbeddedPostgres, foreign)).rejects.toThrow('is not a database of this service');
  });

  it("reports PostgreSQL's own reason when it cannot start", async () => {
    const impossible = startEmbeddedPostgres({ dataDirectory, settings: { max_connections: 'many' } });
    await expect(impossible).rejects.toThrow(
      /did not start in .*invalid value for parameter "max_connections"/s,
    );
  });

  it('takes over the server of a killed service, and stops it later', async () => {
    const killed = run('service');
    const databaseUrl = await killed.line('databaseUrl');
    await query(databaseUrl, `INSERT INTO note VALUES ('before the service was killed')`);
    const postmaster = await postmasterOf(dataDirectory);
    await kill(killed.child);
    const next = await start();
    expect(next.databaseUrl).toBe(databaseUrl);
    expect(await postmasterOf(dataDirectory)).toBe(postmaster);
    expect(await notes(databaseUrl)).toContainEqual({ text: 'before the service was killed' });
    await next.stop();
    expect(await postmasterOf(dataDirectory)).toBeUndefined();
  });

  it('recovers when the server was killed too', async () => {
    const killed = run('service');
    await query(await killed.line('databaseUrl'), `INSERT INTO note VALUES ('before both were killed')`);
    process.kill((await postmasterOf(dataDirectory)) ?? 0, 'SIGKILL');
    await kill(killed.child);
    const next = await start();
    expect(await notes(next.databaseUrl)).toContainEqual({ text: 'before both were killed' });
    await next.stop();
  });

  it('is not blocked by the lock file of a crashed server whose process id is in use again', async () => {
    const { uid, gid } = await stat(join(dataDirectory, 'postgres'));
    const stranger = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {});
    children.push(stranger);
    await writeFile(
      lockFileOf(dataDirectory),
      `${stranger.pid}\n/elsewhere\n1700000000\n5432\n\n127.0.0.1\n\nready\n`,
    );
    await (await start()).stop();
    expect(stranger.exitCode).toBeNull();
  });

  it('is not blocked by the empty lock file of a crashed machine', async () => {
    await writeFile(lockFileOf(dataDirectory), '');
    await (await start()).stop();
  });

  it('starts over when it was killed while creating the database', async () => {
    const empty = join(root, 'interrupted');
    await mkdir(empty);
    const killed = run('service', empty);
    await eventually(async () => expect(String(await readdir(empty))).toContain('postgres-new-'));
    await kill(killed.child);
    const postgres = await start(startEmbeddedPostgres, empty);
    expect(await query(postgres.databaseUrl, 'SELECT current_user')).toEqual([{ current_user: 'pix' }]);
    await postgres.stop();
  });

  it('cleans up after an interrupted start, once nobody can be working on it', async () => {
    const old = join(dataDirectory, 'postgres-new-old');
    const young = join(dataDirectory, 'postgres-new-young');
    await mkdir(old);
    await mkdir(young);
    await utimes(old, 0, 0);
    await (await start()).stop();
    expect(new Set(await readdir(dataDirectory))).toEqual(
      new Set(['postgres', 'postgres-new-young', 'postgres.log']),
    );
  });

  it('waits for a command that uses the database', async () => {
    const command = run('command');
    await command.line('databaseUrl');
    const service = run('service');
    expect(await service.line('message')).toContain(`waiting for a command (pid ${command.child.pid})`);
    await command.stop();
    expect(await answers(await service.line('databaseUrl'))).toBe(true);
  });
});

describe('a running service', () => {
  it('survives Ctrl-C together with its server until it stops', async () => {
    const service = run('service');
    const databaseUrl = await service.line('databaseUrl');
    process.kill(-(service.child.pid ?? 0), 'SIGINT');
    expect(await answers(databaseUrl)).toBe(true);
    await service.stop();
    expect(await postmasterOf(dataDirectory)).toBeUndefined();
  });

  it('still owns the database after PostgreSQL has dropped all connections', async () => {
    const service = run('service');
    const databaseUrl = await service.line('databaseUrl');
    const client = new pg.Client(databaseUrl);
    client.on('error', () => {});
    await client.connect();
    const { rows } = await client.query<{ id: number }>('SELECT pg_backend_pid() AS id');
    const ended = new Promise((resolve) => client.once('end', resolve));
    process.kill(rows[0]?.id ?? 0, 'SIGKILL');
    await ended;
    const isOwned = `SELECT FROM pg_locks WHERE locktype = 'advisory'`;
    await eventually(async () => expect(await query(databaseUrl, isOwned)).toHaveLength(1));
    await expect(start()).rejects.toThrow(`pid ${service.child.pid}`);
  });

  it('has a UTF-8 database on loopback that is not owned by a superuser', async () => {
    const postgres = await start();
    const [facts] = await query(
      postgres.databaseUrl,
      `SELECT current_user AS user, rolsuper AS super, inet_server_addr()::text AS address, datlocale AS locale,
         pg_encoding_to_char(encoding) AS encoding,
         current_setting('fsync') AS fsync, current_setting('idle_in_transaction_session_timeout') AS idle
       FROM pg_roles, pg_database WHERE rolname = current_user AND datname = 'pix'`,
    );
    const place = { address: '127.0.0.1/32', locale: 'C.UTF-8', encoding: 'UTF8' };
    expect(facts).toEqual({ ...place, user: 'pix', super: false, fsync: 'off', idle: '1min' });
    await postgres.stop();
    await postgres.stop();
  });

  it('keeps its password from other users', async () => {
    const { mode } = await stat(join(dataDirectory, 'postgres', 'pix-password'));
    expect(mode & 0o777).toBe(0o600);
    const postgres = await start();
    await expect(notes(postgres.databaseUrl.replace(/:[^:]*@/, ':guess@'))).rejects.toThrow(
      'authentication failed',
    );
    await postgres.stop();
  });
});

describe('a command', () => {
  it('shares the server of the running service and leaves it running', async () => {
    const service = run('service');
    const databaseUrl = await service.line('databaseUrl');
    const command = await connect();
    expect(command.databaseUrl).toBe(databaseUrl);
    await command.stop();
    expect(await answers(databaseUrl)).toBe(true);
  });

  it('starts the server if none runs, and stops it', async () => {
    const command = await connect();
    expect(await answers(command.databaseUrl)).toBe(true);
    await command.stop();
    expect(await postmasterOf(dataDirectory)).toBeUndefined();
  });

  it("leaves a killed service's server to the next service", async () => {
    const killed = run('service');
    const databaseUrl = await killed.line('databaseUrl');
    await kill(killed.child);
    const command = await connect();
    await command.stop();
    expect(await answers(databaseUrl)).toBe(true);
  });
});
