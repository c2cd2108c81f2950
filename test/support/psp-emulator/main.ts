// npm run psp-emulator -- bacen efi --notify http://localhost:3000/psp/bacen/TOKEN --on SWITCH
import { parseArgs } from 'node:util';
import { startAdmin } from './admin.ts';
import { emulators } from './all.ts';
import { defineBacen } from './bacen.ts';
import { type BankName, emulatedBanks } from './bacen-bank.ts';
import { startEmulator } from './core.ts';
import { createLedger } from './ledger.ts';
import type { DefinePsp } from './psp.ts';
import type { Switches } from './switches.ts';

const bankNames = Object.keys(emulatedBanks).filter((name) => name !== 'standard') as BankName[];

/** Each PSP that can be run by itself, and each bank of the API Pix. */
const emulated: Readonly<Record<string, DefinePsp>> = {
  ...emulators,
  // PagBank has an API of its own, above, and the API Pix.
  ...Object.fromEntries(
    bankNames.map((name) => [name === 'pagbank' ? 'pagbank-api-pix' : name, defineBacen(name)]),
  ),
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: {
    notify: { type: 'string' },
    port: { type: 'string', default: '0' },
    on: { type: 'string', multiple: true, default: [] },
    help: { type: 'boolean' },
  },
});

const switchesOf = (define: DefinePsp): Switches | undefined =>
  define(createLedger(() => new Date())).switches;

/** PSPs with the same switches stand together. */
function helpText(): string {
  const groups = new Map<string, [string, DefinePsp][]>();
  for (const each of Object.entries(emulated)) {
    const about = JSON.stringify(switchesOf(each[1])?.about ?? {});
    groups.set(about, [...(groups.get(about) ?? []), each]);
  }
  return [...groups].map(([about, members]) => groupHelp(members, JSON.parse(about) as object)).join('\n');
}

function groupHelp(members: readonly [string, DefinePsp][], about: object): string {
  const switches = Object.entries(about);
  const width = Math.max(0, ...switches.map(([name]) => name.length));
  const named = members.map(([name, define]) => {
    const on = switches.map(([each]) => each).filter((each) => switchesOf(define)?.isOn(each));
    return on.length > 0 ? `${name} (has ${on.join(', ')})` : name;
  });
  return [...named, ...switches.map(([each, line]) => `  --on ${each.padEnd(width)}  ${String(line)}`)].join(
    '\n',
  );
}

if (values.help) {
  process.stdout.write(
    `npm run psp-emulator -- [PSP …] [--notify URL] [--port N] [--on SWITCH …]\n\n${helpText()}\n`,
  );
  process.exit(0);
}

const unknown = positionals.filter((name) => !Object.hasOwn(emulated, name));
if (unknown.length > 0) {
  process.stderr.write(
    `no emulator for ${unknown.join(', ')}; there are ${Object.keys(emulated).join(', ')}\n`,
  );
  process.exit(1);
}

/** One line of JSON for each: `settings` is what `credential create --config` wants. */
for (const [index, name] of (positionals.length > 0 ? positionals : Object.keys(emulated)).entries()) {
  const define = emulated[name];
  if (!define) continue;
  const port = Number(values.port) && Number(values.port) + index * 2;
  const emulator = await startEmulator(define, { port });
  emulator.notifier.address = values.notify;
  for (const each of values.on) emulator.switches.turn(each, true);
  const adminUrl = await startAdmin(emulator, port && port + 1);
  process.stdout.write(`${JSON.stringify({ name, adminUrl, settings: emulator.settings })}\n`);
}
