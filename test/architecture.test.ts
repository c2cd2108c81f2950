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
  domain: { mayImport: [], mustNotSee: [...transports, ...stores, ...io] },
  observability: { mayImport: ['domain'], mustNotSee: [...transports, ...stores] },
  persistence: { mayImport: ['domain'], mustNotSee: transports },
  redis: { mayImport: ['domain', 'observability'], mustNotSee: [...transports, /^@prisma\//, /^pg$/] },
  network: { mayImport: [], mustNotSee: [...transports, ...stores] },
  psp: { mayImport: ['domain', 'network', 'observability'], mustNotSee: [...transports, ...stores] },
  webhooks: { mayImport: ['domain', 'network', 'observability'], mustNotSee: [...transports, ...stores] },
  mail: { mayImport: ['domain'], mustNotSee: [...transports, ...stores] },
  services: {
    mayImport: ['domain', 'persistence', 'observability'],
    mustNotSee: [...transports, ...stores, ...io],
  },
  transport: { mayImport: ['domain'], mustNotSee: [...transports, ...stores, ...io] },
  http: {
    mayImport: ['domain', 'services', 'observability', 'transport', 'redis'],
    mustNotSee: [/^@prisma\//, /^@apollo\//, /^type-graphql$/],
  },
  graphql: {
    mayImport: ['domain', 'services', 'observability', 'transport'],
    mustNotSee: [/^@prisma\//, /^express/, /^ioredis$/],
  },
  workers: { mayImport: ['domain', 'services', 'observability'], mustNotSee: [...transports, ...stores] },
  // In a browser; it asks /graphql and /auth like anybody else.
  dashboard: {
    mayImport: ['domain'],
    mustNotSee: [/^express/, /^@apollo\//, /^type-graphql$/, ...stores, ...io, /^better-auth/],
  },
  // In the payer's browser, on a phone: no package at all.
  checkout: { mayImport: [], mustNotSee: [/^[^.]/] },
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

test('nobody but the entry points imports app, infrastructure, main, cli, config, demo or key-ring', () => {
  const entryPoints = [
    'app.ts',
    'infrastructure.ts',
    'open-databases.ts',
    'main.ts',
    'cli.ts',
    'config.ts',
    'demo.ts',
    'key-ring.ts',
    'cli',
  ];
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

/** The first circle that is met from a file on; undefined when there is none. */
function circleFrom(start: string, done: Set<string>, path: string[] = []): string[] | undefined {
  if (path.includes(start)) return [...path.slice(path.indexOf(start)), start];
  if (done.has(start)) return undefined;
  for (const next of importedBy.get(start) ?? []) {
    const circle = circleFrom(next, done, [...path, start]);
    if (circle) return circle;
  }
  done.add(start);
  return undefined;
}

test('no files import each other in a circle, of types neither', () => {
  expect([...importedBy.values()].flat().length).toBeGreaterThan(1_000);
  const done = new Set<string>();
  const circles = sourceFiles.flatMap((file) => circleFrom(file, done)?.join(' > ') ?? []);
  expect(circles).toEqual([]);
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
