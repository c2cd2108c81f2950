import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from '@jest/globals';

const source = resolve(dirname(fileURLToPath(import.meta.url)), '../src');

/** A room of the house: what it may import from src/, and the packages it must not see. */
interface Room {
  mayImport: readonly string[];
  mustNotSee: readonly RegExp[];
}

const transports = [/^express/, /^@apollo\//, /^type-graphql$/, /^graphql/];
const stores = [/^@prisma\//, /^pg$/, /^ioredis$/];
const io = [/^node:(fs|net|http|https|tls|dns|child_process|dgram|worker_threads)/, /^undici$/, /^pino$/];

const rooms: Record<string, Room> = {
  core: {
    mayImport: ['database', 'observability'],
    mustNotSee: [
      ...transports,
      ...stores,
      /^node:(fs|net|http|https|tls|dns|child_process|dgram)/,
      /^undici$/,
      /^pino$/,
    ],
  },
  database: { mayImport: ['core'], mustNotSee: transports },
  observability: { mayImport: ['core'], mustNotSee: [...transports, ...stores] },
  redis: { mayImport: ['core', 'observability'], mustNotSee: [...transports, /^@prisma\//, /^pg$/] },
  network: { mayImport: [], mustNotSee: [...transports, ...stores] },
  psp: { mayImport: ['core', 'network', 'observability'], mustNotSee: [...transports, ...stores] },
  'webhook-client': {
    mayImport: ['core', 'network', 'observability'],
    mustNotSee: [...transports, ...stores],
  },
  mail: { mayImport: ['core'], mustNotSee: [...transports, ...stores] },
  settings: { mayImport: ['core', 'database', 'network', 'observability', 'redis'], mustNotSee: transports },
  transport: { mayImport: ['core'], mustNotSee: [...transports, ...stores, ...io] },
  http: {
    mayImport: ['core', 'observability', 'transport', 'redis'],
    mustNotSee: [/^@prisma\//, /^@apollo\//, /^type-graphql$/],
  },
  graphql: {
    mayImport: ['core', 'observability', 'transport'],
    mustNotSee: [/^@prisma\//, /^express/, /^ioredis$/],
  },
  workers: { mayImport: ['core', 'observability'], mustNotSee: [...transports, ...stores] },
  // It runs in a browser, and asks /graphql and /auth like anybody else.
  dashboard: {
    mayImport: ['core'],
    mustNotSee: [/^express/, /^@apollo\//, /^type-graphql$/, ...stores, ...io, /^better-auth/],
  },
  // It runs in the payer's browser, on a phone: no package at all.
  'checkout-page': { mayImport: [], mustNotSee: [/^[^.]/] },
};

interface Import {
  file: string;
  from: string;
}

const sourceFiles = readdirSync(source, { recursive: true, encoding: 'utf8' }).filter(
  (path) => /\.tsx?$/.test(path) && !/(^|\/)(generated|vite\.config\.ts)(\/|$)/.test(path),
);

const imports: Import[] = sourceFiles.flatMap((file) => {
  const text = readFileSync(join(source, file), 'utf8');
  const found = text.matchAll(
    /(?:^|\n)\s*(?:import|export)\s[^;'"]*?from\s+'([^']+)'|import\('([^']+)'\)|(?:^|\n)import '([^']+)'/g,
  );
  return [...found].map((match) => ({ file, from: match[1] ?? match[2] ?? match[3] ?? '' }));
});

const roomOf = (path: string): string => path.split('/')[0] ?? '';

/** The room that a relative import leads to; a file at the top of src/ is its own room. */
const roomImported = ({ file, from }: Import): string | undefined =>
  from.startsWith('.') ? roomOf(relative(source, resolve(source, dirname(file), from))) : undefined;

describe.each(Object.entries(rooms))('%s', (room, { mayImport, mustNotSee }) => {
  const own = imports.filter(({ file }) => roomOf(file) === room);

  test('has imports to check', () => {
    expect(own.length).toBeGreaterThan(0);
  });

  test(`imports only ${mayImport.join(', ') || 'itself'} from src`, () => {
    const strays = own.filter((each) => {
      const imported = roomImported(each);
      return imported !== undefined && imported !== room && !mayImport.includes(imported);
    });
    expect(strays).toEqual([]);
  });

  test('sees no package that is not its business', () => {
    expect(own.filter(({ from }) => mustNotSee.some((pattern) => pattern.test(from)))).toEqual([]);
  });
});

test('nobody but the entry points imports app, infrastructure, main, cli or config', () => {
  const entryPoints = ['app.ts', 'infrastructure', 'main.ts', 'cli.ts', 'config.ts', 'cli'];
  const strays = imports.filter(
    (each) => !entryPoints.includes(roomOf(each.file)) && entryPoints.includes(roomImported(each) ?? ''),
  );
  expect(strays).toEqual([]);
});

/** The files that a file imports, types included. */
const importedBy = new Map<string, string[]>(sourceFiles.map((file) => [file, []]));
for (const { file, from } of imports) {
  if (!from.startsWith('.')) continue;
  const path = relative(source, resolve(source, dirname(file), from));
  const target = [path, `${path}.ts`, `${path}.tsx`].find((each) => importedBy.has(each));
  if (target !== undefined) importedBy.get(file)?.push(target);
}
const arrows = [...importedBy].flatMap(([file, targets]) => targets.map((target) => ({ file, target })));

/** The noun of a file in core, and whether it is a rule, a query or what others may ask for. */
function placeOf(path: string): { noun: string; layer: 'rules' | 'store' | 'top' } | undefined {
  const [room, noun = '', layer] = path.split('/');
  if (room !== 'core') return undefined;
  return { noun, layer: layer === 'rules' || layer === 'store' ? layer : noun === 'base' ? 'rules' : 'top' };
}

test('rules see nothing but rules', () => {
  expect(
    arrows.filter(
      ({ file, target }) => placeOf(file)?.layer === 'rules' && placeOf(target)?.layer !== 'rules',
    ),
  ).toEqual([]);
});

test('observability, the database, hands and browsers see nothing of the core but rules', () => {
  const below = ['observability', 'database', 'network', 'psp', 'webhook-client', 'mail', 'dashboard'];
  expect(
    arrows.filter(
      ({ file, target }) => below.includes(roomOf(file)) && (placeOf(target)?.layer ?? 'rules') !== 'rules',
    ),
  ).toEqual([]);
});

test('the faces see no store', () => {
  const faces = ['http', 'graphql', 'workers', 'cli', 'transport', 'redis', 'settings'];
  expect(
    arrows.filter(({ file, target }) => faces.includes(roomOf(file)) && placeOf(target)?.layer === 'store'),
  ).toEqual([]);
});

/** Who reads the store of another noun, and why; a noun, a folder or a file. The list only gets shorter. */
const readers: readonly (readonly [reader: string, store: string, reason: string])[] = [
  [
    '',
    'payments/',
    'a payment is what every noun is about: its row is read, locked and changed in their transactions',
  ],
  ['', 'idempotency/', 'a key is answered in the transaction that does what it is for'],
  ['people/approvals', 'refunds/refunds', 'a request shows the refund that it is about'],
  ['people', 'audit/audit-entries', 'who has no session yet is recorded in the transaction of the change'],
  ['people/link-mail', 'health/alert-emails', 'links and alerts share the queue of e-mails'],
  ['audit/audit-export', 'people/organization-profiles', 'times are those of the organization'],
  ['books', 'providers/credentials', 'books are kept for each credential'],
  ['health', 'books/', 'open books are a condition'],
  ['health', 'routing/', 'a missing default credential is a condition'],
  ['health', 'webhooks/', 'alerts become deliveries, and waiting deliveries a condition'],
  ['health', 'settlement/due', 'work that waits is a condition'],
  ['privacy/retention', '', 'deletes what is too old, whosever it is'],
  ['privacy/forget-person', '', 'a person is forgotten everywhere in one transaction'],
  ['privacy/forgotten-list', 'people/organizations', 'the list names organizations'],
  ['providers', 'settlement/sweeps', 'traffic decides when the next sweep is due'],
  ['refunds', 'disputes/', 'the money of an accepted claim is leaving'],
  ['refunds', 'people/', 'limits are those of the key and of the organization, locked with the refund'],
  ['reports', '', 'reports show what is on record of every noun'],
  ['restore', 'books/', 'days are read again after a restore'],
  ['restore', 'settlement/due', 'what was lost becomes due'],
  ['routing', 'providers/', 'a rule names credentials'],
  ['settlement', 'disputes/', 'what a provider reports is recorded in one transaction'],
  [
    'settlement/notifications',
    'recurrences/recurrences',
    'a recurrence that a provider tells of becomes due',
  ],
  ['settlement/recording', 'people/', 'whether money of another payer is kept'],
  ['settlement', 'refunds/', 'what a provider reports is recorded in one transaction'],
];

test('a store is used by its own noun alone, with few exceptions', () => {
  const foreign = arrows.filter(({ file, target }) => {
    const [user, used] = [placeOf(file), placeOf(target)];
    return user && used?.layer === 'store' && user.noun !== used.noun;
  });
  const isListed = ({ file, target }: (typeof arrows)[number]) =>
    readers.some(
      ([reader, store]) =>
        file.startsWith(`core/${reader}`) && target.startsWith(`core/${store.replace('/', '/store/')}`),
    );
  expect(
    foreign.filter((arrow) => !isListed(arrow)).map(({ file, target }) => `${file} > ${target}`),
  ).toEqual([]);
  const unused = readers.filter(
    ([reader, store]) =>
      !foreign.some(
        ({ file, target }) =>
          file.startsWith(`core/${reader}`) && target.startsWith(`core/${store.replace('/', '/store/')}`),
      ),
  );
  expect(unused).toEqual([]);
  expect(readers.length).toBeLessThanOrEqual(25);
});

/** The first circle that is met from a node on; undefined when there is none. Nodes that lead to no circle are appended to `done`. */
function circleFrom(
  graph: ReadonlyMap<string, readonly string[]>,
  start: string,
  done: Set<string>,
  path: string[] = [],
): string[] | undefined {
  if (path.includes(start)) return [...path.slice(path.indexOf(start)), start];
  if (done.has(start)) return undefined;
  for (const next of graph.get(start) ?? []) {
    const circle = circleFrom(graph, next, done, [...path, start]);
    if (circle) return circle;
  }
  done.add(start);
  return undefined;
}

/** What each node of a graph leads to, with files drawn together. */
function drawnTogether(nameOf: (path: string) => string | undefined): Map<string, string[]> {
  const graph = new Map<string, string[]>();
  for (const { file, target } of arrows) {
    const [from, to] = [nameOf(file), nameOf(target)];
    if (from === undefined || to === undefined || from === to) continue;
    graph.set(from, [...(graph.get(from) ?? []), to]);
  }
  return graph;
}

/** The circles of a graph, and its nodes in an order in which each leads only to earlier ones. */
function orderOf(graph: ReadonlyMap<string, readonly string[]>) {
  const done = new Set<string>();
  const circles = [...graph.keys()].flatMap((node) => circleFrom(graph, node, done)?.join(' > ') ?? []);
  return { circles, order: [...done] };
}

test('no files import each other in a circle, of types neither', () => {
  expect(arrows.length).toBeGreaterThan(1_000);
  expect(orderOf(importedBy).circles).toEqual([]);
});

/** The entry points lie in no folder. */
const folderOf = (path: string): string | undefined => (path.includes('/') ? dirname(path) : undefined);

test('no folders import each other in a circle', () => {
  expect(orderOf(drawnTogether(folderOf)).circles).toEqual([]);
});

/** The rooms are the folders of src; core and the dashboard count as many, as their bases lie below all others. */
function roomFor(path: string): string | undefined {
  if (roomOf(path) === 'dashboard') return path.split('/').slice(0, 2).join('/');
  const place = placeOf(path);
  if (!place) return folderOf(path) && roomOf(path);
  return place.layer === 'rules' ? 'core: rules' : 'core';
}

test('no rooms import each other in a circle', () => {
  expect(orderOf(drawnTogether(roomFor)).circles).toEqual([]);
});

/** A noun counts once for its rules, once for its store, and once for what others may ask for. */
test('the nouns of each layer have an order', () => {
  const layers = (['rules', 'store', 'top'] as const).map((layer) => {
    const nounIn = (path: string) => {
      const place = placeOf(path);
      return place?.layer === layer && dirname(path) !== 'core'
        ? dirname(path).slice('core/'.length)
        : undefined;
    };
    const { circles, order } = orderOf(drawnTogether(nounIn));
    expect(circles).toEqual([]);
    return `${layer}: ${order.join(', ')}`;
  });
  process.stdout.write(
    `The order of the nouns, each of which sees only those before it:\n${layers.join('\n')}\n`,
  );
});

const maximumFiles = 14;

test(`no folder has more than ${maximumFiles} files of code`, () => {
  const counts = new Map<string, number>();
  for (const file of sourceFiles) counts.set(dirname(file), (counts.get(dirname(file)) ?? 0) + 1);
  expect([...counts].filter(([, count]) => count > maximumFiles)).toEqual([]);
});

test('forms of the dashboard take the inputs that word what the browser finds wrong', () => {
  const own = /import \{[^}]*\b(TextInput|Textarea|PasswordInput)\b[^}]*\} from '@mantine\/core'/;
  const others = sourceFiles.filter((file) => own.test(readFileSync(join(source, file), 'utf8')));
  expect(others).toEqual(['dashboard/shell/palette/palette.tsx']);
});

test('the environment is read in one place', () => {
  const readers = sourceFiles.filter((file) =>
    /process\.env(?!\['PATH'\])/.test(readFileSync(join(source, file), 'utf8')),
  );
  expect(readers.filter((file) => !['main.ts', 'cli'].includes(roomOf(file)))).toEqual([]);
});
