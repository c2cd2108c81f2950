import { randomInt, randomUUID } from 'node:crypto';
import { expect } from '@jest/globals';
import { type Cents, cents } from '../../src/core/base/money.ts';
import type {
  Charge,
  ChargeIds,
  ChargeRequest,
  Payer,
  RefundRequest,
} from '../../src/core/providers/rules/charge.ts';
import type { PspAdapter } from '../../src/core/providers/rules/psp.ts';
import { PspError } from '../../src/core/providers/rules/psp-error.ts';
import type { Logger } from '../../src/observability/logger.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import type { PspProvider, PspTools } from '../../src/psp/kit/provider.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { type PspEmulator, startEmulator } from '../support/psp-emulator/core.ts';
import type { EmulatedCharge, EmulatedRefund } from '../support/psp-emulator/ledger.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';

export interface Subject {
  provider: PspProvider;
  settings: unknown;
  emulator: PspEmulator;
  adapter: PspAdapter;
  tools: PspTools;
  /** Every line that was logged, as JSON. */
  logged: string[];
  /** The only charge of that transaction id; fails when there are more. */
  chargeAt: (transactionId: string) => EmulatedCharge;
  stop(): Promise<void>;
}

export async function openSubject(
  provider: PspProvider,
  define: DefinePsp,
  on: readonly string[] = [],
): Promise<Subject> {
  const emulator = await startEmulator(define);
  for (const each of on) emulator.switches.turn(each, true);
  const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
  const logged: string[] = [];
  const log = (...line: unknown[]) => void logged.push(JSON.stringify(line));
  const logger = { debug: log, info: log, warn: log, error: log, fatal: log } as Logger;
  const customers = new Map<string, string>();
  const tools: PspTools = {
    http: clients.open,
    now: () => new Date(),
    logger,
    customers: {
      find: (document) => Promise.resolve(customers.get(document)),
      keep: (document, reference) => Promise.resolve(void customers.set(document, reference)),
    },
  };
  const settings = parseSettings(provider, emulator.settings);
  return {
    provider,
    settings,
    emulator,
    tools,
    logged,
    adapter: provider.connect(settings, tools),
    chargeAt(transactionId) {
      const charges = emulator.ledger.charges.filter((each) => each.transactionId === transactionId);
      expect(charges).toHaveLength(1);
      return charges[0] as EmulatedCharge;
    },
    async stop() {
      await emulator.stop();
      await clients.close();
    },
  };
}

export const newHexId = (): string => randomUUID().replaceAll('-', '');

export const soon = (): AbortSignal => AbortSignal.timeout(5_000);

export const payer: Payer = {
  name: 'Gumercindo Albuquerque',
  document: '529.982.247-25',
  email: 'gumercindo@albuquerque.example',
  phone: '+55 (11) 98765-4321',
};

export const address = {
  street: 'Avenida Paulista',
  number: '1578',
  complement: 'Conjunto 2',
  district: 'Bela Vista',
  city: 'São Paulo',
  state: 'SP',
  postalCode: '01310200',
};

/** What a message must not hold, in whatever form a PSP writes it. */
export const payerData = ['Gumercindo', 'Albuquerque', '529.982', '52998224725', '98765', 'gumercindo'];

export function chargeRequest(changes: Partial<ChargeRequest> = {}): ChargeRequest {
  const createdAt = new Date();
  return {
    transactionId: newHexId(),
    position: 0,
    amountInCents: cents(110_10),
    createdAt,
    expiresAt: new Date(createdAt.getTime() + 60 * 60_000),
    due: null,
    description: 'Pedido 42',
    payer,
    metadata: null,
    notificationUrl: null,
    ...changes,
  };
}

export const chargeIdsOf = ({ transactionId, reference }: Charge): ChargeIds => ({
  transactionId,
  reference,
});

export const byOurIdOnly = (transactionId: string): ChargeIds => ({ transactionId, reference: null });

export function refundRequest(charge: Charge, changes: Partial<RefundRequest> = {}): RefundRequest {
  return {
    ...chargeIdsOf(charge),
    refundId: newHexId(),
    endToEndId: charge.receivedPix[0]?.endToEndId ?? '',
    refundReference: null,
    otherRefunds: [],
    startedAt: new Date(0),
    amountInCents: charge.amountInCents,
    ...changes,
  };
}

/** The PspError that the call fails with; fails when it does not. */
export async function failureOf(call: Promise<unknown>): Promise<PspError> {
  const outcome = await call.then(
    () => 'nothing',
    (error: unknown) => error,
  );
  expect(outcome).toBeInstanceOf(PspError);
  return outcome as PspError;
}

/** What somebody gives back in the PSP's own panel. */
export const elsewhere = (
  charge: Charge,
  amountInCents: Cents,
  { pix }: Pick<EmulatedCharge, 'pix'> = { pix: [] },
): Omit<EmulatedRefund, 'createdAt'> => ({
  refundId: newHexId(),
  reference: String(randomInt(1e9, 1e10)),
  endToEndId: pix[0]?.endToEndId ?? charge.receivedPix[0]?.endToEndId ?? '',
  amountInCents,
  status: 'completed',
});

/** A charge that was paid, as the adapter shows it. */
export async function makePaid({ adapter, emulator }: Subject): Promise<Charge> {
  const made = await adapter.createCharge(chargeRequest(), soon());
  await emulator.pay(made.transactionId);
  const paid = await adapter.findCharge(chargeIdsOf(made), soon());
  expect(paid?.status).toBe('paid');
  return paid as Charge;
}
