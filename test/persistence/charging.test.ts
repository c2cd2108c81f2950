import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { attemptIdAt, newPaymentId } from '../../src/domain/ids.ts';
import { cents } from '../../src/domain/money.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { type OpenedPayment, openPayments } from '../../src/persistence/payments/charging.ts';
import { freshDatabase } from '../support/database.ts';

let db: Database;

beforeAll(async () => {
  db = openDatabase(await freshDatabase(), { maximumConnections: 2 });
});

afterAll(() => db.$disconnect());

function opened(...providers: readonly string[]): OpenedPayment {
  const createdAt = new Date();
  const id = newPaymentId(createdAt);
  const payment = {
    id,
    organizationId: randomUUID(),
    mode: 'test',
    apiKeyId: null,
    amountInCents: cents(100),
    provider: providers[0] ?? '',
    description: null,
    externalId: null,
    payerName: null,
    payerDocument: null,
    payerEmail: null,
    payerPhone: null,
    metadata: null,
    createdAt,
    expiresAt: createdAt,
    traceparent: null,
    returnUrl: null,
    nextCheckAt: createdAt,
  } as const;
  const attempts = providers.map((provider, position) => ({
    id: attemptIdAt(id, position),
    paymentId: id,
    position,
    provider,
    credentialId: null,
    reason: 'default' as const,
    outcome: position === 0 ? ('open' as const) : ('planned' as const),
    error: null,
    createdAt,
  }));
  return { payment, attempts };
}

/** How the commit that stores them treats the log. */
const commitOf = (payments: readonly OpenedPayment[]) =>
  db.$transaction(async (tx) => {
    await tx.$executeRaw`SET LOCAL synchronous_commit = on`;
    await openPayments(tx, payments);
    const [row] = await tx.$queryRaw<{ setting: string }[]>`
      SELECT current_setting('synchronous_commit') AS setting`;
    return row?.setting;
  });

describe('what is stored before a provider is called', () => {
  test.each([
    { providers: [['asaas']], text: 'a provider is called' },
    { providers: [['sandbox', 'asaas']], text: 'a provider may be called after the sandbox' },
    { providers: [['sandbox'], ['asaas']], text: 'a payment beside it calls a provider' },
    { providers: [[], ['woovi']], text: 'a payment beside it has no candidate' },
  ])('is in the log first when $text', async ({ providers }) => {
    expect(await commitOf(providers.map((each) => opened(...each)))).toBe('on');
  });

  test('waits for the commit after it when only the sandbox is called, in the same log', async () => {
    expect(await commitOf([opened('sandbox'), opened('sandbox')])).toBe('off');
  });
});
