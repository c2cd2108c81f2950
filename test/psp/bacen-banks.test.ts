import { afterAll, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { cents } from '../../src/core/base/money.ts';
import { bacen } from '../../src/psp/bacen/adapter.ts';
import { presetNames } from '../../src/psp/bacen/account/presets.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { defineBacen } from '../support/psp-emulator/bacen.ts';
import { startEmulator, type PspEmulator } from '../support/psp-emulator/core.ts';
import { rawOf } from '../support/psp-emulator/notifier.ts';
import {
  byOurIdOnly,
  chargeRequest,
  failureOf,
  chargeIdsOf,
  newHexId,
  refundRequest,
  soon,
} from './contract-setup.ts';

const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
const emulators: PspEmulator[] = [];

afterAll(async () => {
  await Promise.all([clients.close(), ...emulators.map((each) => each.stop())]);
});

async function bankOf(name: (typeof presetNames)[number], changes: Record<string, unknown> = {}) {
  const emulator = await startEmulator(defineBacen(name));
  emulators.push(emulator);
  const settings = parseSettings(bacen, { ...emulator.settings, ...changes });
  const tools = { http: clients.open, now: () => new Date() };
  return { emulator, settings, tools, adapter: bacen.connect(settings, tools) };
}

describe.each(presetNames)('with the preset %s and the addresses of its emulator', (name) => {
  test('a charge is made, paid, notified, refunded and another cancelled', async () => {
    const { adapter, emulator, settings, tools } = await bankOf(name);
    const made = await adapter.createCharge(chargeRequest(), soon());
    expect(made).toMatchObject({ status: 'active', amountInCents: cents(110_10) });
    parseBrCode(made.pixCopyPaste ?? '');
    expect(await adapter.findCharge(byOurIdOnly(newHexId()), soon())).toBeUndefined();

    await emulator.pay(made.transactionId);
    const [notification] = emulator.notifier.sent.map(rawOf);
    if (!notification) throw new Error('nobody was notified');
    expect(await bacen.notifications.verify(notification, settings, tools)).toBe(true);
    const [notified] = bacen.notifications.charges(notification);
    expect(notified?.transactionId).toBe(made.transactionId);

    const paid = await adapter.findCharge(chargeIdsOf(made), soon());
    if (!paid) throw new Error('the charge is gone');
    expect(paid).toMatchObject({ status: 'paid', receivedPix: [{ amountInCents: cents(110_10) }] });

    const request = refundRequest(paid, { amountInCents: cents(10_50) });
    expect(await adapter.findRefund(request, soon())).toBeUndefined();
    expect((await adapter.refundCharge(request, soon())).status).toBe('pending');
    expect((await adapter.findRefund(request, soon()))?.status).toBe('pending');

    const other = await adapter.createCharge(chargeRequest(), soon());
    expect((await adapter.cancelCharge(chargeIdsOf(other), soon())).status).toBe('cancelled');
  });
});

describe('what the banks of the presets demand is demanded indeed:', () => {
  test.each([
    ['itau', { preset: undefined, clientAuth: 'form' }],
    ['santander', { tokenQuery: { grant_type: 'password' } }],
    ['banco-do-brasil', { appKey: 'another' }],
    ['inter', { scope: '' }],
    ['sicoob', { preset: undefined, clientSecret: 'x', clientAuth: 'form' }],
    ['efi', { preset: undefined }],
    ['pagbank', { tokenBody: 'form' }],
    ['c6', { clientAuth: 'basic' }],
  ] as const)('%s refuses %j', async (name, changes) => {
    const { adapter } = await bankOf(name, changes);
    const failure = await failureOf(adapter.createCharge(chargeRequest(), soon()));
    expect(failure).toMatchObject({ failure: 'rejected' });
  });

  test.each([
    ['santander', { patchBaseUrl: 'https://127.0.0.1:1' }, 'not_sent'],
    ['pagbank', { compareKey: true }, 'unknown'],
  ] as const)('%s does not work with %j', async (name, changes, failure) => {
    const { adapter } = await bankOf(name, changes);
    const work = async () => {
      const charge = await adapter.createCharge(chargeRequest(), soon());
      return adapter.cancelCharge(chargeIdsOf(charge), soon());
    };
    expect(await failureOf(work())).toMatchObject({ failure });
  });
});
