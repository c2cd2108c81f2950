import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import type { NotifiedCharge } from '../../src/core/providers/rules/charge.ts';
import type { ChargesPage } from '../../src/core/providers/rules/psp-lists.ts';
import { chargeRequest, newHexId, soon, type Subject } from './contract-setup.ts';

const minutesFromNow = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);

/** For providers that list charges by their creation. */
export function describeCharges(subject: () => Subject): void {
  async function listed(since = minutesFromNow(-5), until = minutesFromNow(5)): Promise<Set<string>> {
    const all: NotifiedCharge[] = [];
    let cursor: string | null = null;
    do {
      const page: ChargesPage | undefined = await subject().adapter.listCharges?.(
        { since, until },
        cursor,
        soon(),
      );
      all.push(...(page?.charges ?? []));
      cursor = page?.nextCursor ?? null;
    } while (cursor !== null);
    return new Set(all.map(({ transactionId }) => transactionId ?? ''));
  }

  test('the list of charges names what was created, paid or not, by our id', async () => {
    const { adapter, emulator } = subject();
    const paid = await adapter.createCharge(chargeRequest(), soon());
    const unpaid = await adapter.createCharge(chargeRequest(), soon());
    await emulator.pay(paid.transactionId);
    const all = await listed();
    for (const { transactionId } of [paid, unpaid]) expect(all.has(transactionId)).toBe(true);
    expect(await listed(minutesFromNow(-9 * 1_440), minutesFromNow(-2 * 1_440))).toEqual(new Set());
  });

  test('it is read page by page to its end', async () => {
    const { ledger } = subject().emulator;
    const added = Array.from({ length: 120 }, () => {
      const [transactionId, reference] = [newHexId(), String(randomInt(1e10, 1e11))];
      return ledger.add({
        transactionId,
        reference,
        amountInCents: cents(5_00),
        expiresAt: minutesFromNow(60),
      });
    });
    const all = await listed();
    for (const { transactionId } of added) expect(all.has(transactionId)).toBe(true);
  });
}
