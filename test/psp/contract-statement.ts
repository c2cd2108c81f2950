import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { windowOfDay } from '../../src/core/books/rules/import-schedule.ts';
import { cents } from '../../src/core/base/money.ts';
import type { StatementPage, StatementPix } from '../../src/core/providers/rules/psp-lists.ts';
import type { EmulatedCharge } from '../support/psp-emulator/ledger.ts';
import { chargeRequest, elsewhere, failureOf, newHexId, soon, type Subject } from './contract-setup.ts';

/** For providers whose list of received Pix says enough for books. Each test has a day of its own. */
export function describeStatement(subject: () => Subject): void {
  let daysAgo = 40;
  const freshDay = (): string =>
    new Date(Date.now() - (daysAgo += 2) * 86_400_000).toISOString().slice(0, 10);

  const read = (day: string, cursor: string | null): Promise<StatementPage> => {
    const { listStatement } = subject().adapter;
    if (!listStatement) throw new Error('this provider lists no statement');
    return listStatement(windowOfDay(day), cursor, soon());
  };

  /** Reads it as an import does. */
  async function statementOf(day: string): Promise<StatementPix[]> {
    const { since, until } = windowOfDay(day);
    const all: StatementPix[] = [];
    let cursor: string | null = null;
    do {
      const page: StatementPage = await read(day, cursor);
      expect(page.hasChanged).toBe(false);
      all.push(...page.pix);
      cursor = page.nextCursor;
    } while (cursor !== null);
    return all.filter(({ receivedAt }) => receivedAt >= since && receivedAt < until);
  }

  /** A Pix of somebody else's charge, unless it is given one of ours. */
  function receive(at: Date, charge = addElsewhere()): EmulatedCharge {
    const { ledger } = subject().emulator;
    ledger.pay(charge).paidAt = at;
    return charge;
  }

  function addElsewhere(): EmulatedCharge {
    const { ledger } = subject().emulator;
    const [transactionId, reference] = [newHexId(), String(randomInt(1e10, 1e11))];
    const expiresAt = new Date(Date.now() + 3_600_000);
    return ledger.add({ transactionId, reference, amountInCents: cents(7_77), expiresAt });
  }

  const ofCharge = ({ transactionId }: EmulatedCharge) => ({
    charge: expect.objectContaining({ transactionId }) as unknown,
  });

  test('the statement of a day on which nothing was received is empty', async () => {
    expect(await statementOf(freshDay())).toEqual([]);
  });

  test('what cannot be read is no statement, and no list that ends early', async () => {
    const { emulator } = subject();
    const day = freshDay();
    receive(windowOfDay(day).since);
    for (const kind of ['wrap', 'truncate'] as const) {
      emulator.faults.add({ kind, isDone: true });
      expect((await failureOf(read(day, null))).failure).toBe('unknown');
    }
  });

  test('a day is one of Brasília: a Pix of its first and last moment is its own, one of midnight the next', async () => {
    const day = freshDay();
    const { since, until } = windowOfDay(day);
    const first = receive(since);
    const last = receive(new Date(until.getTime() - 1_000));
    const next = receive(until);
    const own = await statementOf(day);
    expect(own).toHaveLength(2);
    expect(own).toEqual(
      expect.arrayContaining([first, last].map((each) => expect.objectContaining(ofCharge(each)))),
    );
    const following = until.toISOString().slice(0, 10);
    expect(await statementOf(following)).toMatchObject([ofCharge(next)]);
  });

  test('a Pix of ours is listed once, with its amount, its charge, and what has left of it', async () => {
    const { adapter, emulator } = subject();
    const day = freshDay();
    const { since } = windowOfDay(day);
    const made = await adapter.createCharge(chargeRequest(), soon());
    const charge = receive(since, emulator.ledger.find(made.transactionId));
    const [pix] = await statementOf(day);
    expect(pix).toMatchObject({ amountInCents: charge.amountInCents, ...ofCharge(charge) });
    // Where the list says nothing of it, it says nothing ever.
    if (pix?.returnedInCents === null) return;
    expect(pix).toMatchObject({ returnedInCents: 0n, reversedInCents: 0n });
    const { ledger } = emulator;
    ledger.refund(charge, elsewhere(made, cents(1_10), charge));
    ledger.refund(charge, { ...elsewhere(made, cents(2_20), charge), status: 'failed' });
    ledger.refund(charge, { ...elsewhere(made, cents(3_30), charge), status: 'pending' });
    expect(await statementOf(day)).toMatchObject([
      { reference: pix?.reference, returnedInCents: 110n, reversedInCents: 0n },
    ]);
  });

  test('it is read page by page, and a page that contradicts another is noticed', async () => {
    const { emulator } = subject();
    const day = freshDay();
    const { since } = windowOfDay(day);
    const charges = Array.from({ length: 230 }, (_, second) =>
      receive(new Date(since.getTime() + second * 1_000)),
    );
    const before = emulator.requests.length;
    const all = await statementOf(day);
    expect(emulator.requests.length - before).toBeGreaterThan(2);
    expect(emulator.requests.length - before).toBeLessThan(9);
    expect(all).toHaveLength(charges.length);
    expect(new Set(all.map(({ reference }) => reference)).size).toBe(charges.length);
    expect(new Set(all.map(({ charge }) => charge.transactionId))).toEqual(
      new Set(charges.map(({ transactionId }) => transactionId)),
    );
    const { nextCursor } = await read(day, null);
    expect(nextCursor).not.toBeNull();
    receive(since);
    expect(await read(day, nextCursor)).toMatchObject({ hasChanged: true, nextCursor: null });
  });
}
