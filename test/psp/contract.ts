import { afterAll, afterEach, beforeAll, describe } from '@jest/globals';
import type { PspProvider } from '../../src/psp/kit/provider.ts';
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

/** Providers that list what they received. */
const listing = ['asaas', 'bacen', 'mercadopago', 'woovi'];

/** Providers that list charges by their creation. */
const listingCharges = [...listing, 'pagarme'];

/** Providers whose list says enough for books. */
const stating = ['asaas', 'bacen', 'mercadopago', 'woovi'];

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
  const { webhookRegistration } = provider.capabilities;
  const all = (Object.keys(parts) as Part[]).filter(
    (part) =>
      (part !== 'webhook' || webhookRegistration === 'api') &&
      (part !== 'received' || listing.includes(provider.name)) &&
      (part !== 'charges' || listingCharges.includes(provider.name)) &&
      (part !== 'statement' || stating.includes(provider.name)),
  );
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
