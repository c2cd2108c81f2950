// npm run new-provider -- picpay PicPay
// Makes the folder, emulator, tests and page of a provider from ./template, where it is called New Bank, and registers it.
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const project = fileURLToPath(new URL('../..', import.meta.url));
const template = fileURLToPath(new URL('template', import.meta.url));

const [name = '', displayName = name.replace(/^./, (letter) => letter.toUpperCase())] = process.argv.slice(2);
if (!/^[a-z][a-z0-9]*$/.test(name) || !/^[\w .&-]+$/.test(displayName)) {
  process.stderr.write('npm run new-provider -- NAME [DISPLAY NAME], where NAME is of a to z and digits\n');
  process.exit(1);
}
if (existsSync(join(project, 'src/psp', name))) {
  process.stderr.write(`there is a provider ${name} already\n`);
  process.exit(1);
}

const named = (text) =>
  text
    .replaceAll('newbank', name)
    .replaceAll(
      'Newbank',
      name.replace(/^./, (letter) => letter.toUpperCase()),
    )
    .replaceAll('NEW BANK', name.toUpperCase())
    .replaceAll('New Bank', displayName);

const templates = readdirSync(template, { recursive: true }).filter((path) => path.endsWith('.txt'));
const made = templates.map((path) => named(path.slice(0, -'.txt'.length)));
for (const [index, path] of templates.entries()) {
  const file = join(project, made[index]);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, named(readFileSync(join(template, path), 'utf8')));
}

const paidAnswer = `  newbank: {
    // TODO: a recorded charge that was paid, its times, and what else of it decides nothing.
    paid: {
      id: 'charge_1',
      reference_id: ourId,
      status: 'paid',
      amount: 11010,
      expires_at: at,
      pix: { end_to_end_id: 'E1', amount: 11010, paid_at: at },
    },
    moments: ['expires_at', 'pix.paid_at'],
    details: ['pix_code'],
    read: (json) => look(newbank, { apiToken: 'token', webhookSecret: 'secret' }, () => ({ json })),
  },
`;

const places = [
  // Sorted by name.
  ['src/psp/registry.ts', /^export \{ (\w+) \}.*\n/gm, `export { ${name} } from './${name}/adapter.ts';\n`],
  [
    'test/support/psp-emulator/all.ts',
    /^import .* from '\.\/(\w+)\.ts';\n/gm,
    `import { ${name} } from './${name}.ts';\n`,
  ],
  ['test/support/psp-emulator/all.ts', /^ {2}(\w+),\n/gm, `  ${name},\n`],
  [
    'test/psp/paid-answers.ts',
    /^import \{ (\w+) \} from '\.\.\/\.\.\/src\/psp\/\w+\/adapter\.ts';\n/gm,
    `import { ${name} } from '../../src/psp/${name}/adapter.ts';\n`,
  ],
  ['test/psp/paid-answers.ts', /^ {2}(\w+): \{\n[^]*?^ {2}\},\n/gm, named(paidAnswer)],
  [
    'docs/going-live/README.md',
    /^\| `(\w+)` +\| .*\n/gm,
    `| \`${name}\` | [${displayName}](${name}.md) | | in the panel | |\n`,
  ],
];

/** Before the first line of its kind with a greater name, or after the last. */
for (const [path, lines, line] of places) {
  const file = join(project, path);
  const text = readFileSync(file, 'utf8');
  const all = [...text.matchAll(lines)];
  const last = all.at(-1);
  if (!last) throw new Error(`${path} has no line like ${String(lines)}`);
  const at = all.find(([, other]) => other > name)?.index ?? last.index + last[0].length;
  writeFileSync(file, text.slice(0, at) + line + text.slice(at));
}

const run = (...args) =>
  execFileSync(process.execPath, args, { cwd: project, stdio: ['ignore', 'ignore', 'inherit'] });
run('node_modules/prettier/bin/prettier.cjs', '--write', ...made, ...new Set(places.map(([path]) => path)));
run('--import', './test/support/typescript.js', 'scripts/write-provider-tables.ts');

process.stdout.write(
  `${made.join('\n')}\n\nNow look up what each TODO says: grep -rn TODO ${made.join(' ')}\n`,
);
