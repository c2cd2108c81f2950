import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { PspAdapter } from '../../src/core/providers/rules/psp.ts';
import type { PspProvider } from '../../src/psp/kit/provider.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { createLedger } from '../support/psp-emulator/ledger.ts';
import type { DefinePsp } from '../support/psp-emulator/psp.ts';
import { describeCharges } from './contract-charges.ts';
import { describeCreation } from './contract-creation.ts';
import { describeEnds } from './contract-ends.ts';
import { describeMoney } from './contract-money.ts';
import { describeNotifications } from './contract-notifications.ts';
import { describeReceived } from './contract-received.ts';
import { openSubject, type Subject } from './contract-setup.ts';
import { describeStatement } from './contract-statement.ts';
import { describeWebhook } from './contract-webhook.ts';
import { fakeTools } from './fake-http.ts';

const parts = {
  creation: describeCreation,
  money: describeMoney,
  ends: describeEnds,
  notifications: describeNotifications,
  received: describeReceived,
  charges: describeCharges,
  statement: describeStatement,
  webhook: describeWebhook,
};

type Part = keyof typeof parts;

/** The parts of the contract that a provider must keep while switches of its emulator are on. */
export type Deviations = Readonly<Record<string, readonly Part[]>>;

/** An adapter that is only looked at: it reaches nothing. */
function connect(provider: PspProvider, define: DefinePsp): PspAdapter {
  const { settings } = define(createLedger(() => new Date()));
  const tools = fakeTools(() => ({ json: {} }));
  return provider.connect(parseSettings(provider, settings('https://localhost')), tools);
}

/** What a provider need not offer has to keep its part of the contract as soon as the adapter has it. */
function offeredParts(adapter: PspAdapter): Part[] {
  const isOffered: Partial<Record<Part, boolean>> = {
    received: adapter.listReceived !== undefined,
    charges: adapter.listCharges !== undefined,
    statement: adapter.listStatement !== undefined,
    webhook: adapter.capabilities.webhookRegistration === 'api',
  };
  return (Object.keys(parts) as Part[]).filter((part) => isOffered[part] ?? true);
}

/**
 * What every provider must do, against an emulator that speaks its wire format; then again with each of the
 * switches, several of which may stand in one name (`a+b`).
 */
export function describeProvider(
  name: string,
  provider: PspProvider,
  define: DefinePsp,
  deviations: Deviations = {},
): void {
  const adapter = connect(provider, define);
  const all = offeredParts(adapter);

  test(`${name} says why its books cannot be kept, or lists a statement`, () => {
    expect(adapter.capabilities.noStatement !== undefined).toBe(adapter.listStatement === undefined);
  });

  for (const [switches, chosen] of [['', all] as const, ...Object.entries(deviations)]) {
    const on = switches.split('+').filter(Boolean);
    describe([name, ...on].join(' with '), () => {
      let subject: Subject;
      const current = () => subject;

      beforeAll(async () => {
        subject = await openSubject(provider, define, on);
      });

      afterEach(async () => {
        subject.emulator.faults.clear();
        await subject.emulator.acceptConnections();
      });

      afterAll(() => subject.stop());

      for (const part of chosen) parts[part](current);
    });
  }
}
