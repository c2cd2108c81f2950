import { randomInt } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import type { NotifiedCharge } from '../../src/core/providers/rules/charge.ts';
import type { ReceivedPage, ReceivedWindow } from '../../src/core/providers/rules/psp-lists.ts';
import { chargeRequest, newHexId, soon, type Subject } from './contract-setup.ts';

const minutesFromNow = (minutes: number): Date => new Date(Date.now() + minutes * 60_000);

/** For providers that list what they received by time. */
export function describeReceived(subject: () => Subject): void {
  const around = (): ReceivedWindow => ({
    since: minutesFromNow(-5),
    until: minutesFromNow(5),
    bookmark: null,
  });

  async function listed(window = around()): Promise<NotifiedCharge[]> {
    const { adapter } = subject();
    const all: NotifiedCharge[] = [];
    let cursor: string | null = null;
    do {
      const page: ReceivedPage | undefined = await adapter.listReceived?.(window, cursor, soon());
      all.push(...(page?.charges ?? []));
      cursor = page?.nextCursor ?? null;
    } while (cursor !== null);
    return all;
  }

  const isNamed = (all: NotifiedCharge[], { transactionId, reference }: NotifiedCharge): boolean =>
    all.some((each) => each.transactionId === transactionId || (reference && each.reference === reference));

  test('the list of what was received names paid charges alone', async () => {
    const { adapter, emulator } = subject();
    const [paid, unpaid] = [
      await adapter.createCharge(chargeRequest(), soon()),
      await adapter.createCharge(chargeRequest(), soon()),
    ];
    await emulator.pay(paid.transactionId);
    const all = await listed();
    expect(isNamed(all, paid)).toBe(true);
    expect(isNamed(all, unpaid)).toBe(false);
    const days = 86_400_000;
    const earlier = { since: new Date(Date.now() - 9 * days), until: new Date(Date.now() - 2 * days) };
    expect(await listed({ ...earlier, bookmark: null })).toEqual([]);
  });

  test('it is read page by page to its end, a request for each', async () => {
    const { emulator } = subject();
    const { ledger } = emulator;
    const added = Array.from({ length: 250 }, () => {
      const [transactionId, reference] = [newHexId(), String(randomInt(1e10, 1e11))];
      const amountInCents = cents(5_00);
      return ledger.add({ transactionId, reference, amountInCents, expiresAt: minutesFromNow(60) });
    });
    for (const charge of added) ledger.pay(charge);
    const before = emulator.requests.length;
    const all = await listed();
    for (const charge of added) expect(isNamed(all, charge)).toBe(true);
    const requests = emulator.requests.length - before;
    expect(requests).toBeGreaterThan(1);
    expect(requests).toBeLessThan(9);
  });
}
