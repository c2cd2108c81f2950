import { describe, expect, test } from '@jest/globals';
import { cents } from '../../src/core/base/money.ts';
import type { Charge } from '../../src/core/providers/rules/charge.ts';
import type { PspError } from '../../src/core/providers/rules/psp-error.ts';
import { recordedIdOf, refundedInCents } from '../support/psp-emulator/ledger.ts';
import {
  byOurIdOnly,
  chargeRequest,
  elsewhere,
  failureOf,
  makePaid,
  chargeIdsOf,
  newHexId,
  refundRequest,
  soon,
  type Subject,
} from './contract-setup.ts';

export function describeEnds(subject: () => Subject): void {
  const paidCharge = (): Promise<Charge> => makePaid(subject());

  describe('a cancel', () => {
    test('ends the charge, or is refused where the PSP has none', async () => {
      const { adapter, emulator } = subject();
      const charge = await adapter.createCharge(chargeRequest(), soon());
      const cancel = adapter.cancelCharge(chargeIdsOf(charge), soon());
      if (adapter.capabilities.cancel === 'none') {
        expect((await failureOf(cancel)).failure).toBe('rejected');
        return;
      }
      expect(await cancel).toMatchObject({ transactionId: charge.transactionId, status: 'cancelled' });
      expect(emulator.ledger.find(charge.transactionId)?.isCancelled).toBe(true);
      // Some PSPs know a cancelled charge no more.
      const found = await adapter.findCharge(chargeIdsOf(charge), soon());
      expect(found?.status ?? 'cancelled').toBe('cancelled');
    });

    test('by our id alone ends the charge too', async () => {
      const { adapter } = subject();
      if (adapter.capabilities.cancel === 'none') return;
      const charge = await adapter.createCharge(chargeRequest(), soon());
      const cancelled = await adapter.cancelCharge(byOurIdOnly(charge.transactionId), soon());
      expect(cancelled.status).toBe('cancelled');
    });

    test('of a charge that was paid first answers the Pix', async () => {
      const { adapter, emulator } = subject();
      if (adapter.capabilities.cancel === 'none') return;
      const charge = await adapter.createCharge(chargeRequest(), soon());
      const pix = await emulator.pay(charge.transactionId);
      const answered = await adapter.cancelCharge(chargeIdsOf(charge), soon());
      expect(answered).toMatchObject({ status: 'paid', receivedPix: [{ endToEndId: recordedIdOf(pix) }] });
      expect(refundedInCents(subject().chargeAt(charge.transactionId))).toBe(0n);
    });

    test('of a charge that is paid meanwhile answers the Pix, and what went back where it refunds', async () => {
      const { adapter, emulator, chargeAt } = subject();
      if (adapter.capabilities.cancel === 'none') return;
      const charge = await adapter.createCharge(chargeRequest(), soon());
      emulator.faults.add({ kind: 'pay_before', operation: 'cancel' });
      const answered = await adapter.cancelCharge(chargeIdsOf(charge), soon());
      const returnedInCents = adapter.capabilities.cancel === 'may_refund' ? charge.amountInCents : cents(0);
      expect(answered).toMatchObject({ status: 'paid', receivedPix: [{ returnedInCents }] });
      expect(refundedInCents(chargeAt(charge.transactionId))).toBe(returnedInCents);
    });

    test('of a charge that is not there is rejected', async () => {
      const failure = await failureOf(subject().adapter.cancelCharge(byOurIdOnly(newHexId()), soon()));
      expect(failure.failure).toBe('rejected');
    });
  });

  describe('a refund', () => {
    const canRefund = () => subject().adapter.capabilities.refund !== 'none';

    test('of everything is made, or refused where the PSP has none', async () => {
      const { adapter, chargeAt } = subject();
      const charge = await paidCharge();
      const refund = adapter.refundCharge(refundRequest(charge), soon());
      if (!canRefund()) {
        expect((await failureOf(refund)).failure).toBe('rejected');
        return;
      }
      expect(['pending', 'completed']).toContain((await refund).status);
      expect(refundedInCents(chargeAt(charge.transactionId))).toBe(charge.amountInCents);
    });

    test('of a part is made, or refused where the PSP knows the whole only', async () => {
      const { adapter, chargeAt } = subject();
      const charge = await paidCharge();
      const part = refundRequest(charge, { amountInCents: cents(10_05) });
      const refund = adapter.refundCharge(part, soon());
      if (adapter.capabilities.refund !== 'partial') {
        expect((await failureOf(refund)).failure).toBe('rejected');
        expect(refundedInCents(chargeAt(charge.transactionId))).toBe(0n);
        return;
      }
      await refund;
      expect(refundedInCents(chargeAt(charge.transactionId))).toBe(cents(10_05));
    });

    test('leaves the charge paid, until all of it is on its way back', async () => {
      if (!canRefund()) return;
      const { adapter } = subject();
      const charge = await paidCharge();
      await adapter.refundCharge(refundRequest(charge), soon());
      const found = await adapter.findCharge(chargeIdsOf(charge), soon());
      expect(['contested', 'paid']).toContain(found?.status);
      expect(found?.receivedPix.map(({ endToEndId }) => endToEndId)).toEqual(
        charge.receivedPix.map(({ endToEndId }) => endToEndId),
      );
    });

    test('that is sent again is one refund, where the PSP knows it by its id', async () => {
      const { adapter, chargeAt } = subject();
      if (!canRefund() || adapter.capabilities.refundIdRetentionHours === 0) return;
      const charge = await paidCharge();
      const request = refundRequest(charge, { amountInCents: cents(10_05) });
      const first = await adapter.refundCharge(request, soon());
      // Some PSPs answer it once more, others refuse.
      const second = await adapter.refundCharge(request, soon()).catch((error: PspError) => error.failure);
      expect([first, 'rejected']).toContainEqual(second);
      expect(await adapter.findRefund(request, soon())).toEqual(first);
      expect(chargeAt(charge.transactionId).refunds).toHaveLength(1);
    });

    test('is found among more than one page of others', async () => {
      const { adapter, emulator, chargeAt } = subject();
      if (!canRefund() || emulator.psp.cannotFind?.includes('single refunds')) return;
      const charge = await paidCharge();
      const refundOthers = () => {
        for (let nth = 0; nth < 110; nth++) {
          emulator.ledger.refund(chargeAt(charge.transactionId), elsewhere(charge, cents(1)));
        }
      };
      const request = refundRequest(charge, { amountInCents: cents(10_05) });
      refundOthers();
      const { reference } = await adapter.refundCharge(request, soon());
      refundOthers();
      expect(await adapter.findRefund(request, soon())).toMatchObject({ reference });
    });

    test('of everything is of that amount: what was given back elsewhere makes it impossible', async () => {
      if (!canRefund()) return;
      const { adapter, emulator, chargeAt } = subject();
      const charge = await paidCharge();
      emulator.ledger.refund(chargeAt(charge.transactionId), elsewhere(charge, cents(40_00)));
      const refund = adapter.refundCharge(refundRequest(charge), soon());
      expect((await failureOf(refund)).failure).toBe('rejected');
      expect(refundedInCents(chargeAt(charge.transactionId))).toBe(cents(40_00));
    });

    test('that is found tells its state, and one that was never made is not there', async () => {
      if (!canRefund()) return;
      const { adapter } = subject();
      const charge = await paidCharge();
      const request = refundRequest(charge);
      expect(await adapter.findRefund(request, soon())).toBeUndefined();
      await adapter.refundCharge(request, soon());
      expect(['pending', 'completed']).toContain((await adapter.findRefund(request, soon()))?.status);
    });

    test.each(['reset', 'error', 'truncate'] as const)('whose answer is lost is found: %s', async (kind) => {
      if (!canRefund()) return;
      const { adapter, emulator, chargeAt } = subject();
      const charge = await paidCharge();
      const request = refundRequest(charge);
      emulator.faults.add({ kind, isDone: true, operation: 'refund' });
      expect((await failureOf(adapter.refundCharge(request, soon()))).failure).toBe('unknown');
      expect(['pending', 'completed']).toContain((await adapter.findRefund(request, soon()))?.status);
      expect(chargeAt(charge.transactionId).refunds).toHaveLength(1);
    });

    test('of more than was received is rejected', async () => {
      if (!canRefund()) return;
      const { adapter, chargeAt } = subject();
      const charge = await paidCharge();
      const amountInCents = cents(charge.amountInCents + 1n);
      const tooMuch = refundRequest(charge, { amountInCents });
      expect((await failureOf(adapter.refundCharge(tooMuch, soon()))).failure).toBe('rejected');
      expect(refundedInCents(chargeAt(charge.transactionId))).toBe(0n);
    });
  });
}
