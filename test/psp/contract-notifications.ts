import { describe, expect, test } from '@jest/globals';
import type { PspAdapter } from '../../src/core/providers/rules/psp.ts';
import { PspError } from '../../src/core/providers/rules/psp-error.ts';
import { SettingsError, parseSettings } from '../../src/psp/providers.ts';
import type { Fault } from '../support/psp-emulator/faults.ts';
import { rawOf } from '../support/psp-emulator/notifier.ts';
import { checkAccount } from '../../src/core/providers/check-credential.ts';
import {
  byOurIdOnly,
  chargeRequest,
  failureOf,
  chargeIdsOf,
  newHexId,
  payerData,
  refundRequest,
  soon,
  type Subject,
} from './contract-setup.ts';

export function describeNotifications(subject: () => Subject): void {
  describe('a notification', () => {
    const notified = async () => {
      const { adapter, emulator } = subject();
      const charge = await adapter.createCharge(chargeRequest(), soon());
      await emulator.pay(charge.transactionId);
      const notification = emulator.notifier.sent.at(-1);
      if (!notification) throw new Error('the emulator sent none');
      return { charge, notification };
    };

    test('of the PSP is verified and names our charge', async () => {
      const { provider, settings, tools } = subject();
      const { charge, notification } = await notified();
      const raw = rawOf(notification);
      expect(await provider.notifications.verify(raw, settings, tools)).toBe(true);
      const [named, ...others] = provider.notifications.charges(raw);
      expect(others).toEqual([]);
      const isNamed = named?.transactionId === charge.transactionId || named?.reference === charge.reference;
      expect(isNamed && (named?.transactionId ?? named?.reference) !== null).toBe(true);
    });

    test('of somebody else is not verified', async () => {
      const { provider, settings, tools, emulator } = subject();
      const { notification } = await notified();
      const forged = rawOf(emulator.psp.forge(notification));
      expect(await provider.notifications.verify(forged, settings, tools)).toBe(false);
    });

    test.each(['', '{', '[]', 'null', '"text"', '\0'])(
      'with the body %j is refused or names nothing',
      async (body) => {
        const { provider } = subject();
        const { notification } = await notified();
        const raw = { ...rawOf(notification), query: new URLSearchParams(), body: Buffer.from(body) };
        try {
          expect(provider.notifications.charges(raw)).toEqual([]);
        } catch (error) {
          expect(error).toBeInstanceOf(PspError);
          expect(error).toMatchObject({ failure: 'rejected' });
        }
      },
    );
  });

  describe('messages and log lines', () => {
    const kinds: Fault['kind'][] = [
      'reset',
      'error',
      'redirect',
      'truncate',
      'reject',
      'reject_payer',
      'reject_credential',
    ];

    test.each(kinds)('hold no secret and nothing of the payer: %s', async (kind) => {
      const { adapter, emulator, logged } = subject();
      const { secrets } = emulator.psp;
      const charge = await adapter.createCharge(chargeRequest(), soon());
      const calls: ((adapter: PspAdapter) => Promise<unknown>)[] = [
        (each) => each.createCharge(chargeRequest(), soon()),
        (each) => each.findCharge(chargeIdsOf(charge), soon()),
        (each) => each.cancelCharge(chargeIdsOf(charge), soon()),
        (each) => each.refundCharge(refundRequest(charge, { endToEndId: `E${'1'.repeat(31)}` }), soon()),
        (each) => each.signIn?.(soon()) ?? each.findCharge(byOurIdOnly(newHexId()), soon()),
      ];
      for (const call of calls) {
        emulator.faults.clear();
        emulator.faults.add({ kind, times: 5 });
        const { message } = await failureOf(call(adapter));
        for (const secret of [...secrets, ...payerData]) expect(message).not.toContain(secret);
      }
      for (const secret of [...secrets, ...payerData]) expect(logged.join('\n')).not.toContain(secret);
    });
  });

  describe('a credential', () => {
    const check = async (adapter: PspAdapter) => {
      const { stages } = await checkAccount(
        {
          connect: () => ({ adapter, certificate: null }),
          notificationUrl: 'https://pay.example.com/psp/provider/token',
          now: () => new Date(),
        },
        soon(),
      );
      return stages;
    };
    const failures = async (adapter: PspAdapter) =>
      (await check(adapter)).filter(({ outcome }) => outcome === 'failed');

    test('that works can sign in and look charges up', async () => {
      const { adapter } = subject();
      const [, signIn, lookup] = await check(adapter);
      expect(signIn).toMatchObject({ stage: 'sign_in', outcome: adapter.signIn ? 'ok' : 'skipped' });
      expect(lookup).toEqual({ stage: 'lookup', outcome: 'ok', reason: null, detail: null });
    });

    test('that the PSP refuses fails the check for that reason', async () => {
      const { adapter, emulator } = subject();
      emulator.faults.add({ kind: 'reject_credential', times: 5 });
      expect(await failures(adapter)).toMatchObject([
        {
          reason: expect.stringMatching(/^(wrong_key|scope_missing)$/),
          detail: expect.stringMatching(/HTTP 40[13]/),
        },
      ]);
    });

    test('cannot be checked while the PSP is gone', async () => {
      const { adapter, emulator } = subject();
      await emulator.refuseConnections();
      expect(await failures(adapter)).toMatchObject([{ reason: 'unreachable' }]);
    });

    test('has the methods for its webhook exactly if its capabilities say that there is an API', () => {
      const { adapter } = subject();
      const isByApi = adapter.capabilities.webhookRegistration === 'api';
      expect(adapter.findWebhook !== undefined).toBe(isByApi);
      expect(adapter.registerWebhook !== undefined).toBe(isByApi);
    });

    test('with a setting that does not exist is refused', () => {
      const { provider, emulator } = subject();
      const settings = { ...emulator.settings, colour: 'blue-secret' };
      expect(() => parseSettings(provider, settings)).toThrow(SettingsError);
      expect(() => parseSettings(provider, settings)).toThrow(/colour(?!.*blue)/);
    });

    test('without its settings is told each of them', () => {
      const { provider } = subject();
      expect(() => parseSettings(provider, undefined)).toThrow(SettingsError);
      expect(() => parseSettings(provider, {})).toThrow(/must be given/);
    });
  });

  test('a call ends when it is given up', async () => {
    const { adapter, emulator } = subject();
    emulator.faults.add({ kind: 'hang', times: 5 });
    const startedAt = Date.now();
    const controller = new AbortController();
    setTimeout(() => {
      controller.abort();
    }, 100);
    const failure = await failureOf(adapter.createCharge(chargeRequest(), controller.signal));
    expect(['unknown', 'not_sent']).toContain(failure.failure);
    expect(Date.now() - startedAt).toBeLessThan(2_000);
  });
}
