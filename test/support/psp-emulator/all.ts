import { asaas } from './asaas.ts';
import { defineBacen } from './bacen.ts';
import { mercadopago } from './mercadopago.ts';
import { pagarme } from './pagarme.ts';
import { pagbank } from './pagbank.ts';
import type { DefinePsp } from './psp.ts';
import { woovi } from './woovi.ts';

/** The emulator of each provider, under the provider's name; that of the API Pix is the standard itself. */
export const emulators: Readonly<Record<string, DefinePsp>> = {
  bacen: defineBacen('standard'),
  mercadopago,
  asaas,
  woovi,
  pagarme,
  pagbank,
};

/** For tests of what holds at every provider. */
export const everyPsp: readonly [provider: string, define: DefinePsp][] = Object.entries(emulators);
