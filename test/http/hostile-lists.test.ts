import { randomBytes, randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import { buildSchema } from 'graphql';
import { startTestApp, type TestApp } from '../support/app.ts';
import { isLong } from '../support/chance.ts';
import type { Client } from '../support/client.ts';
import { createKey } from '../support/factories.ts';
import { addOneOfEach } from '../support/one-of-each.ts';
import {
  argumentsWith,
  type Call,
  documentOf,
  isConnection,
  type Leaf,
  leavesOf,
} from '../support/operation-fields.ts';
import { openSession } from '../support/people.ts';

const schema = buildSchema(readFileSync('schema.graphql', 'utf8'));
const queries = Object.values(schema.getQueryType()?.getFields() ?? {});
const mutations = Object.values(schema.getMutationType()?.getFields() ?? {});
const { paths } = openApiDocument({ serverUrl: 'http://localhost', rateLimitPerMinute: 100 });

let app: TestApp;
let owner: Awaited<ReturnType<typeof openSession>>;
let key: string;
/** Ids of what there is, by the names of arguments. */
let known: Record<string, string> = {};
/** The cursors of every list that has a second page, and what is made of them. */
const cursors: string[] = [];

const encoded = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');

const bytes = [1, 8, 9, 15, 16, 17, 24, 25, 32].flatMap((length) =>
  [Buffer.alloc(length), Buffer.alloc(length, 0xff), randomBytes(length)].map((each) =>
    each.toString('base64url'),
  ),
);

const texts = [
  '',
  ' ',
  '\0',
  'a\0b',
  '😀',
  '\u202e',
  "';--",
  '%',
  '%00',
  '../..',
  '-1',
  '0',
  '1e3',
  '9223372036854775808',
  '9'.repeat(30),
  'A'.repeat(5_000),
  'null',
  'undefined',
  '[object Object]',
  '__proto__',
  'constructor',
  '2026-02-30',
  '0000-01-01',
  '9999-12-31',
  '-271821-04-20T00:00:00Z',
  '9999-12-31T23:59:59.999Z',
  '0000-01-01T00:00:00Z',
  'America/Sao_Paulo',
  randomUUID(),
  randomUUID().toUpperCase(),
  randomUUID().replaceAll('-', ''),
  `{${randomUUID()}}`,
  'ffffffff-ffff-ffff-ffff-ffffffffffff',
  '00000000-0000-0000-0000-000000000000',
  ...[null, 1, {}, [], [null], ['a'], ['a', 'b'], ['2026-13-01', 'x', 'y'], ['2026-11-01', '', '']].map(
    encoded,
  ),
  ...bytes,
];

/** All of them in `npm run test:long`, otherwise others each time: one in 24. */
const some = <Value>(values: readonly Value[]): readonly Value[] =>
  isLong ? values : values.filter(() => Math.random() < 1 / 24);

const hostile = (type: string): readonly unknown[] => {
  if (type === 'String' || type === 'ID') return ['', ...some([...texts, ...cursors])];
  if (type === 'Int') return [0, -1, 101, 2_147_483_647, -2_147_483_648];
  if (type === 'Float') return [-1, 0, 0.001, 1e300, 29.949999999999999];
  if (type === 'DateTime') return texts.filter((text) => /^[\d-]*T/.test(text));
  return [];
};

/** A report may have to wait for others. */
const isFault = (status: number): boolean => status >= 500 && status !== 503;

interface GraphqlError {
  message: string;
  path?: string[];
  extensions: { statusCode: number; reason: string };
}

const knownOf = (field: (typeof queries)[number]): Map<Leaf, unknown> =>
  new Map(
    leavesOf(field).flatMap((leaf) => {
      const id = leaf.isRequired ? known[leaf.path.join()] : undefined;
      return id === undefined ? [] : [[leaf, id]];
    }),
  );

/** What each call was refused with: none may be our own fault. */
async function assertRefusedWell(
  kind: 'query' | 'mutation',
  calls: readonly Call[],
  client: Client,
): Promise<void> {
  const { text, variables } = documentOf(kind, calls);
  const { status, body } = await client.graphql(text, variables);
  const errors = (body.errors ?? []) as GraphqlError[];
  const isOurs = ({ extensions: { statusCode, reason } }: GraphqlError) =>
    isFault(statusCode) || reason === 'internal_error';
  const wrong = errors
    .filter(isOurs)
    .map(({ path, message }) => ({ message, call: calls[Number(path?.[0]?.slice(1) ?? 0)] }))
    .map(({ message, call }) => `${call?.field.name} ${JSON.stringify(call?.args)}: ${message}`);
  if (isFault(status) || wrong.length > 0) throw new Error([status, ...wrong].join('\n'));
}

async function inTurns<Item>(items: readonly Item[], handle: (item: Item) => Promise<void>): Promise<void> {
  const left = [...items];
  const work = async () => {
    for (let item = left.pop(); item !== undefined; item = left.pop()) await handle(item);
  };
  await Promise.all([work(), work(), work(), work()]);
}

const atOnce = 12;

function chunksOf<Item>(items: readonly Item[]): Item[][] {
  const chunks = [];
  for (let at = 0; at < items.length; at += atOnce) chunks.push(items.slice(at, at + atOnce));
  return chunks;
}

/** Each hostile value at each place of its type. A date that cannot be read refuses the document, so it goes alone. */
function callsOf(fields: typeof queries, isTried: (leaf: Leaf) => boolean): Call[][] {
  const calls = fields.flatMap((field) =>
    leavesOf(field)
      .filter(isTried)
      .flatMap((leaf) =>
        hostile(leaf.type).map((value) => ({
          field,
          leaf,
          args: argumentsWith(field, new Map([[leaf, leaf.isList ? [value] : value], ...knownOf(field)])),
        })),
      ),
  );
  const [alone, together] = [true, false].map((isAlone) =>
    calls.filter(({ leaf }) => (leaf.type === 'DateTime') === isAlone),
  );
  return [...(alone ?? []).map((each) => [each]), ...chunksOf(together ?? [])];
}

interface Parameter {
  name: string;
  in: string;
}

interface Route {
  method: string;
  path: string;
  parameters: Parameter[];
}

const routes: Route[] = Object.entries(paths).flatMap(([path, operations]) =>
  Object.entries(operations as Record<string, { parameters?: Parameter[] }>).map(
    ([method, { parameters = [] }]) => ({ method: method.toUpperCase(), path, parameters }),
  ),
);

const lists = routes.filter(({ parameters }) => parameters.some(({ name }) => name === 'limit'));

function request(
  { method, path }: Pick<Route, 'method' | 'path'>,
  { id = randomUUID(), query = {} }: { id?: string; query?: Record<string, string> },
): Promise<Response> {
  const url = `${app.baseUrl}${path.replace('{id}', encodeURIComponent(id))}?${new URLSearchParams(query).toString()}`;
  return fetch(url, {
    method,
    headers: { 'X-API-Key': key, ...(method === 'POST' && { 'Content-Type': 'application/json' }) },
    ...(method === 'POST' && { body: '{}' }),
    redirect: 'manual',
  });
}

async function assertNoFault(response: Response, what: string): Promise<void> {
  const code = response.headers.get('X-Error-Code');
  await response.body?.cancel();
  if (isFault(response.status) || code === 'internal_error')
    throw new Error(`${what} got ${response.status} ${code}`);
}

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api', RATE_LIMIT_PER_MINUTE: '1000000' });
  owner = await openSession(app);
  ({ key } = await createKey(app.services, { organizationId: owner.organizationId }));
  known = await addOneOfEach(app, owner.organizationId);
  await addOneOfEach(app, owner.organizationId);
  const found = new Set<string>();
  for (const field of queries.filter(isConnection)) {
    const { text, variables } = documentOf(
      'query',
      [{ field, args: { ...argumentsWith(field, knownOf(field)), first: 1 } }],
      'edges { cursor } pageInfo { endCursor }',
    );
    const { body } = await owner.client.graphql(text, variables);
    for (const { cursor } of body.data?.c0?.edges ?? []) found.add(cursor as string);
  }
  for (const sort of ['created', 'amount', 'paid'])
    for (const order of ['asc', 'desc']) {
      const page = await request(
        { method: 'GET', path: '/v1/payments' },
        { query: { limit: '1', sort, order } },
      );
      const { nextCursor } = (await page.json()) as { nextCursor?: string };
      if (nextCursor !== undefined) found.add(nextCursor);
    }
  for (const cursor of found)
    cursors.push(
      cursor,
      cursor.slice(0, -1),
      cursor.slice(1),
      `${cursor}A`,
      cursor.toUpperCase(),
      ` ${cursor}`,
    );
});

afterAll(() => app.stop());

test('every list has something to be hostile with', () => {
  expect(lists.map(({ path }) => path)).toContain('/v1/payment-links');
  expect(queries.filter(isConnection).map(({ name }) => name)).toContain('differences');
  expect(cursors.length).toBeGreaterThan(6 * 8);
});

describe('no cursor, id or filter is taken for a fault of ours', () => {
  test.each(['test', 'live'])(
    'in a query in %s mode',
    async (mode) => {
      const { client } = owner;
      const inMode: Client = {
        ...client,
        graphql: (text, variables) => client.graphql(text, variables, { 'X-Mode': mode }),
      };
      await inTurns(
        callsOf(queries, () => true),
        (calls) => assertRefusedWell('query', calls, inMode),
      );
    },
    300_000,
  );

  test('in a mutation that names something', async () => {
    await inTurns(
      callsOf(mutations, ({ type }) => type === 'ID'),
      (calls) => assertRefusedWell('mutation', calls, owner.client),
    );
  }, 300_000);

  test('over REST', async () => {
    const requests = routes.flatMap((route) =>
      route.parameters
        .filter((each) => each.in === 'path' || (each.in === 'query' && route.method === 'GET'))
        .flatMap(({ name, in: place }) =>
          ['', ...some([...texts, ...cursors])].map((value) => ({
            route,
            values: place === 'path' ? { id: value } : { query: { [name]: value } },
          })),
        ),
    );
    await inTurns(requests, async ({ route, values }) => {
      // Streams do not end.
      if (route.path.endsWith('/stream')) return;
      await assertNoFault(
        await request(route, values),
        `${route.method} ${route.path} ${JSON.stringify(values)}`,
      );
    });
  }, 300_000);

  test.each(['payments', 'books', 'receipts', 'audit-log'])(
    'of the file %s',
    async (name) => {
      const required = {
        organization: owner.organizationId,
        mode: 'test',
        locale: 'en',
        from: '2026-11-01',
        to: '2026-11-02',
      };
      const names = new Set([
        ...Object.keys(required),
        'timeZone',
        'by',
        ...queries
          .filter(isConnection)
          .flatMap((field) => leavesOf(field).map(({ path }) => path.at(-1) ?? '')),
      ]);
      const requests = [...names].flatMap((parameter) =>
        some(texts).map((text) => ({ ...required, [parameter]: text })),
      );
      await inTurns(requests, async (query) => {
        const url = `${app.baseUrl}/dashboard/${name}.csv?${new URLSearchParams(query).toString()}`;
        await assertNoFault(
          await fetch(url, { headers: { Cookie: owner.cookie, 'Sec-Fetch-Site': 'none' } }),
          url,
        );
      });
    },
    300_000,
  );
});

test.each(
  lists.flatMap(({ path, parameters }) =>
    parameters.filter((each) => each.in === 'query').map(({ name }) => [path, name] as const),
  ),
)('an empty parameter of %s is refused: %s', async (path, name) => {
  const answer = await request({ method: 'GET', path }, { query: { [name]: '' } });
  expect(answer.status).toBe(400);
  expect(((await answer.json()) as { message: string }).message).toContain(name);
});

test.each(queries.filter(isConnection).map((field) => [field.name, field] as const))(
  'an empty cursor of %s is refused over GraphQL',
  async (_name, field) => {
    const args = { ...argumentsWith(field, knownOf(field)), first: 1, after: '' };
    const { text, variables } = documentOf('query', [{ field, args }]);
    const { body } = await owner.client.graphql(text, variables);
    expect(body.errors).toMatchObject([{ extensions: { statusCode: 400 } }]);
    expect(body.errors[0].message).toContain('after');
  },
);
