import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { attemptIdAt, newPaymentId } from '../../src/domain/ids.ts';
import type { Mode } from '../../src/domain/mode.ts';
import { cents } from '../../src/domain/money.ts';
import { type Database, openDatabase } from '../../src/persistence/database.ts';
import { type OpenedPayment, openPayments } from '../../src/persistence/payments/charging.ts';
import { freshDatabase } from '../support/database.ts';

let db: Database;

beforeAll(async () => {
  db = openDatabase(await freshDatabase(), { maximumConnections: 2 });
});

afterAll(() => db.$disconnect());

function opened(mode: Mode, ...providers: readonly string[]): OpenedPayment {
  const createdAt = new Date();
  const id = newPaymentId(createdAt);
  const payment = {
    id,
    organizationId: randomUUID(),
    mode,
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
  test.each<{ text: string; payments: OpenedPayment[] }>([
    { text: 'a payment is live', payments: [opened('live', 'asaas')] },
    { text: 'a live payment has no candidate left', payments: [opened('live')] },
    {
      text: 'one beside those of test mode is live',
      payments: [opened('test', 'sandbox'), opened('live', 'woovi')],
    },
  ])('is in the log first when $text', async ({ payments }) => {
    expect(await commitOf(payments)).toBe('on');
  });

  test('waits for the commit after it in test mode, where the sandbox has its charges in the same log', async () => {
    expect(await commitOf([opened('test', 'sandbox'), opened('test', 'asaas', 'woovi')])).toBe('off');
  });
});
