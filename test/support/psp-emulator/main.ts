// npm run psp-emulator -- bacen efi --notify http://localhost:3000/psp/bacen/TOKEN
import { parseArgs } from 'node:util';
import { startAdmin } from './admin.ts';
import { asaas } from './asaas.ts';
import { defineBacen } from './bacen.ts';
import { startEmulator } from './core.ts';
import { mercadopago } from './mercadopago.ts';
import { pagarme } from './pagarme.ts';
import type { DefinePsp } from './psp.ts';
import { woovi } from './woovi.ts';

/** One line for each PSP that can be run by itself. */
const emulated: Readonly<Record<string, DefinePsp>> = {
  bacen: defineBacen('standard'),
  efi: defineBacen('efi'),
  mercadopago,
  asaas,
  woovi,
  pagarme,
};

const { positionals, values } = parseArgs({
  allowPositionals: true,
  options: { notify: { type: 'string' }, port: { type: 'string', default: '0' } },
});

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
  const adminUrl = await startAdmin(emulator, port && port + 1);
  process.stdout.write(`${JSON.stringify({ name, adminUrl, settings: emulator.settings })}\n`);
}
