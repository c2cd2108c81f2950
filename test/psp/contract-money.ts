import { describe, expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import { recordedIdOf } from '../support/psp-emulator/ledger.ts';
import { chargeRequest, elsewhere, makePaid, chargeIdsOf, soon, type Subject } from './contract-setup.ts';

/** What an adapter makes of money received, and of money that left again. */
export function describeMoney(subject: () => Subject): void {
  describe('a Pix', () => {
    test('is shown with the charge that it paid', async () => {
      const { adapter, emulator } = subject();
      const charge = await adapter.createCharge(chargeRequest(), soon());
      const pix = await emulator.pay(charge.transactionId);
      const found = await adapter.findCharge(chargeIdsOf(charge), soon());
      expect(found?.status).toBe('paid');
      expect(found?.receivedPix).toHaveLength(1);
      expect(found?.receivedPix[0]).toMatchObject({
        endToEndId: recordedIdOf(pix),
        amountInCents: charge.amountInCents,
      });
      const paidAt = found?.receivedPix[0]?.paidAt?.getTime() ?? 0;
      expect(Math.abs(paidAt - pix.paidAt.getTime())).toBeLessThan(86_400_000);
    });
  });

  describe('a Pix of which something went back otherwise', () => {
    test.each([
      ['a part of it', cents(10_05), 'completed'],
      ['all of it', cents(110_10), 'completed'],
      ['nothing of it, as it failed', cents(110_10), 'failed'],
    ] as const)('tells so: %s', async (_, amountInCents, status) => {
      const { adapter, emulator, chargeAt } = subject();
      const charge = await makePaid(subject());
      emulator.ledger.refund(chargeAt(charge.transactionId), {
        ...elsewhere(charge, amountInCents, chargeAt(charge.transactionId)),
        status,
      });
      expect(await adapter.findCharge(chargeIdsOf(charge), soon())).toMatchObject({
        status: 'paid',
        receivedPix: [{ returnedInCents: status === 'completed' ? amountInCents : cents(0) }],
      });
    });

    test('is contested, and not returned yet, while all of it is on its way back', async () => {
      const { adapter, emulator, chargeAt } = subject();
      if (emulator.psp.cannotFind?.includes('refunds under way')) return;
      const charge = await makePaid(subject());
      emulator.ledger.refund(chargeAt(charge.transactionId), {
        ...elsewhere(charge, charge.amountInCents, chargeAt(charge.transactionId)),
        status: 'pending',
      });
      const found = await adapter.findCharge(chargeIdsOf(charge), soon());
      expect(found).toMatchObject({ status: 'contested', receivedPix: [{ returnedInCents: cents(0) }] });
    });
  });
}
