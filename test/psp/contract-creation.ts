import { describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { cents } from '../../src/core/base/money.ts';
import type { ChargeRequest, Payer } from '../../src/core/providers/rules/charge.ts';
import type { PspError } from '../../src/core/providers/rules/psp-error.ts';
import { eventually } from '../support/eventually.ts';
import { hidesUnpaid } from '../support/psp-emulator/core.ts';
import type { Fault } from '../support/psp-emulator/faults.ts';
import {
  byOurIdOnly,
  chargeRequest,
  failureOf,
  chargeIdsOf,
  newHexId,
  payer,
  soon,
  type Subject,
} from './contract-setup.ts';

/** Creates with a fault each time; one that hangs is given up once the PSP has read the request. */
async function createBadly(
  { adapter, emulator }: Subject,
  request: ChargeRequest,
  fault: Pick<Fault, 'kind'> & Partial<Pick<Fault, 'isDone'>>,
): Promise<PspError> {
  const before = emulator.requests.length;
  emulator.faults.add({ ...fault, operation: 'create', times: 2 });
  // The API Pix is asked for the charge at once.
  if (fault.kind === 'error' && emulator.psp.name === 'bacen')
    emulator.faults.add({ kind: 'error', operation: 'find' });
  const controller = new AbortController();
  const failure = failureOf(adapter.createCharge(request, controller.signal));
  if (fault.kind === 'hang') {
    await eventually(() => {
      const operations = emulator.requests.slice(before).map(({ operation }) => operation);
      expect(operations).toContain('create');
    });
    controller.abort();
  }
  return failure.finally(() => {
    emulator.faults.clear();
  });
}

export function describeCreation(subject: () => Subject): void {
  describe('a charge', () => {
    test('has a code that banks accept, and can be found by either name', async () => {
      const { adapter, chargeAt, emulator } = subject();
      const request = chargeRequest();
      const charge = await adapter.createCharge(request, soon());
      expect(charge).toMatchObject({
        transactionId: request.transactionId,
        status: 'active',
        amountInCents: request.amountInCents,
        receivedPix: [],
      });
      parseBrCode(charge.pixCopyPaste ?? '');
      expect(chargeAt(request.transactionId).amountInCents).toBe(request.amountInCents);
      const names = [chargeIdsOf(charge), byOurIdOnly(request.transactionId)].slice(
        0,
        hidesUnpaid(emulator) ? 1 : 2,
      );
      for (const name of names) {
        const found = await adapter.findCharge(name, soon());
        expect(found).toMatchObject({
          ...chargeIdsOf(charge),
          status: 'active',
          amountInCents: request.amountInCents,
        });
        if (found?.pixCopyPaste != null) parseBrCode(found.pixCopyPaste);
      }
    });

    test.each([1, 110, 1_005, 1_999, 999_999_999_999])('of %d centavos is of that amount', async (amount) => {
      const { adapter, chargeAt } = subject();
      const request = chargeRequest({ amountInCents: cents(amount) });
      const charge = await adapter.createCharge(request, soon());
      expect(charge.amountInCents).toBe(cents(amount));
      expect(chargeAt(request.transactionId).amountInCents).toBe(cents(amount));
    });

    test('takes a description of any length and script', async () => {
      const { adapter } = subject();
      const description = 'Pão de açúcar 🥖 '.repeat(40).slice(0, 500);
      const charge = await adapter.createCharge(chargeRequest({ description }), soon());
      expect(charge.status).toBe('active');
    });

    test('that was never made is not there', async () => {
      expect(await subject().adapter.findCharge(byOurIdOnly(newHexId()), soon())).toBeUndefined();
    });

    test('that is paid before the answer is found paid', async () => {
      const { adapter, emulator } = subject();
      emulator.faults.add({ kind: 'pay_first', operation: 'create' });
      const charge = await adapter.createCharge(chargeRequest(), soon());
      expect((await adapter.findCharge(chargeIdsOf(charge), soon()))?.status).toBe('paid');
    });

    test('that is past its expiry has neither succeeded nor failed', async () => {
      const { adapter, emulator } = subject();
      const charge = await adapter.createCharge(chargeRequest(), soon());
      emulator.expire(charge.transactionId);
      const found = await adapter.findCharge(chargeIdsOf(charge), soon());
      expect(['expired', 'active']).toContain(found?.status);
    });

    test.each(['shortest', 'longest'] as const)('expires when the PSP can hold it: the %s', async (which) => {
      const { adapter, chargeAt } = subject();
      const { minimum, maximum } = adapter.capabilities.expiryMinutes;
      const now = Date.now();
      const expiresAt = new Date(which === 'shortest' ? now + 1_000 : now + maximum * 2 * 60_000);
      const request = chargeRequest({ expiresAt });
      await adapter.createCharge(request, soon());
      const heldMinutes = (chargeAt(request.transactionId).expiresAt.getTime() - now) / 60_000;
      expect(heldMinutes).toBeGreaterThan(minimum - 1);
      expect(heldMinutes).toBeLessThan(maximum + 1);
    });
  });

  describe('a creation whose outcome is unknown', () => {
    const outcomes: Pick<Fault, 'kind' | 'isDone'>[] = [
      { kind: 'hang', isDone: true },
      { kind: 'reset', isDone: true },
      { kind: 'error', isDone: true },
      { kind: 'redirect', isDone: true },
      { kind: 'truncate', isDone: true },
      { kind: 'cut', isDone: true },
      { kind: 'oversize', isDone: true },
    ];

    test.each(outcomes)('is found by our id and made only once: $kind', async (fault) => {
      const { adapter, chargeAt, emulator } = subject();
      const request = chargeRequest();
      expect((await createBadly(subject(), request, fault)).failure).toBe('unknown');
      const found = await adapter.findCharge(byOurIdOnly(request.transactionId), soon());
      if (hidesUnpaid(emulator)) expect(found).toBeUndefined();
      else expect(found).toMatchObject({ status: 'active', amountInCents: request.amountInCents });
      const again = await adapter.createCharge(request, soon());
      parseBrCode(again.pixCopyPaste ?? '');
      expect(chargeAt(request.transactionId).amountInCents).toBe(request.amountInCents);
    });

    test.each(['hang', 'reset', 'error'] as const)(
      'and that did not happen is not there: %s',
      async (kind) => {
        const { adapter } = subject();
        const request = chargeRequest();
        expect((await createBadly(subject(), request, { kind })).failure).toBe('unknown');
        expect(await adapter.findCharge(byOurIdOnly(request.transactionId), soon())).toBeUndefined();
      },
    );

    test('because there were too many requests for its code is found, later', async () => {
      const { adapter, emulator, chargeAt } = subject();
      if (!emulator.psp.routes.some(({ operation }) => operation === 'code')) return;
      const request = chargeRequest();
      emulator.faults.add({ kind: 'busy', operation: 'code' });
      const failure = await failureOf(adapter.createCharge(request, soon()));
      expect(failure).toMatchObject({ failure: 'unknown', retryAfterMs: 1_000 });
      chargeAt(request.transactionId);
    });

    test('because its code is late leaves a charge that is found', async () => {
      const { adapter, emulator, chargeAt } = subject();
      if (!emulator.psp.routes.some(({ operation }) => operation === 'code')) return;
      const request = chargeRequest();
      emulator.faults.add({ kind: 'error', operation: 'code' });
      expect((await failureOf(adapter.createCharge(request, soon()))).failure).toBe('unknown');
      const found = await adapter.findCharge(byOurIdOnly(request.transactionId), soon());
      expect(found?.status).toBe('active');
      chargeAt(request.transactionId);
    });
  });

  describe('a creation that fails for certain', () => {
    const failed = async (kind: Fault['kind'], times = 1) => {
      const { adapter, emulator } = subject();
      const request = chargeRequest();
      emulator.faults.add({ kind, operation: 'create', times });
      const failure = await failureOf(adapter.createCharge(request, soon()));
      expect(emulator.ledger.find(request.transactionId)).toBeUndefined();
      return failure;
    };

    test('is rejected', async () => {
      expect((await failed('reject')).failure).toBe('rejected');
    });

    test('is rejected for the payer, and says which field', async () => {
      const failure = await failed('reject_payer');
      expect(failure.failure).toBe('rejected_payer');
      expect(failure.message).toMatch(/payer\.(name|document|email|phone)/);
    });

    test('is rejected for the credential, and says so', async () => {
      const failure = await failed('reject_credential', 2);
      expect(failure.failure).toBe('rejected');
      expect(failure.message).toMatch(/credential/);
    });

    test('is not made by a PSP with too many requests, which says when to try again', async () => {
      const failure = await failed('busy');
      expect(failure).toMatchObject({ failure: 'rate_limited', retryAfterMs: 1_000 });
      expect(failure.message).toContain('429');
    });

    test('is not sent to a port that is closed', async () => {
      const { adapter, emulator } = subject();
      await emulator.refuseConnections();
      expect((await failureOf(adapter.createCharge(chargeRequest(), soon()))).failure).toBe('not_sent');
    });

    test('is not sent when it was given up before', async () => {
      const { adapter, emulator } = subject();
      const request = chargeRequest();
      const failure = await failureOf(adapter.createCharge(request, AbortSignal.abort()));
      expect(failure.failure).toBe('not_sent');
      expect(emulator.ledger.find(request.transactionId)).toBeUndefined();
    });

    test('names each field of the payer that the PSP demands', async () => {
      const { adapter, emulator } = subject();
      for (const field of adapter.capabilities.needsPayer) {
        const request = chargeRequest({ payer: { ...payer, [field]: null } });
        const failure = await failureOf(adapter.createCharge(request, soon()));
        expect(failure).toMatchObject({ failure: 'rejected_payer' });
        expect(failure.message).toContain(`payer.${field}`);
        expect(emulator.ledger.find(request.transactionId)).toBeUndefined();
      }
    });
  });

  test('nothing more of the payer is needed than the capabilities say', async () => {
    const { adapter } = subject();
    const nobody: Payer = { name: null, document: null, email: null, phone: null };
    const needed = Object.fromEntries(adapter.capabilities.needsPayer.map((field) => [field, payer[field]]));
    const charge = await adapter.createCharge(chargeRequest({ payer: { ...nobody, ...needed } }), soon());
    expect(charge.status).toBe('active');
  });
}
