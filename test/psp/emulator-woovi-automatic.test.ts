import { afterAll, beforeEach, describe, expect, test } from '@jest/globals';
import type { Outcome } from '../support/psp-emulator/automatic.ts';
import { createClient } from '../support/psp-emulator/client.ts';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { woovi } from '../support/psp-emulator/woovi.ts';
import { newHexId } from './contract-setup.ts';

let clock = new Date();
const at = (day: string, time = '10:00:00') => {
  clock = new Date(`${day}T${time}-03:00`);
};

const emulator = await startEmulator(woovi, { now: () => clock });
const { ask, close } = createClient(emulator);
const { automatic } = emulator.psp;
if (!automatic) throw new Error('there is no Pix Automático');

beforeEach(async () => {
  emulator.switches.reset();
  await emulator.tellAll('never');
  at('2026-12-01');
});

afterAll(async () => {
  await close();
  await emulator.stop();
});

const subscription = {
  type: 'PIX_RECURRING',
  value: 3500,
  name: 'Assinatura',
  comment: 'assinatura-1',
  frequency: 'MONTHLY',
  dayGenerateCharge: '2026-12-10T00:00:00.000Z',
  dayDue: 7,
  customer: {
    name: 'Gumercindo',
    taxID: '52998224725',
    address: {
      zipcode: '04556300',
      street: 'Rua do Porto',
      number: '3',
      neighborhood: 'Centro',
      city: 'Recife',
      state: 'PE',
    },
  },
  pixRecurringOptions: { journey: 'ONLY_RECURRENCY', retryPolicy: 'THREE_RETRIES_7_DAYS' },
};

const options = (changes: object) => ({
  pixRecurringOptions: { ...subscription.pixRecurringOptions, ...changes },
});
const permit = (changes: object = {}) =>
  ask('POST /api/v1/subscriptions', { correlationID: newHexId(), ...subscription, ...changes });
const shown = async (id: string) => (await ask(`GET /api/v1/installments/${id}`)).json;
const events = () =>
  automatic.outbox.splice(0).map(({ body }) => (JSON.parse(body) as { event: string }).event);

async function permitted(changes: object = {}) {
  const { status, json } = await permit(changes);
  expect({ status, json }).toMatchObject({ status: 200 });
  const id = String((json['subscription'] as Record<string, unknown>)['globalID']);
  automatic?.approves(id);
  return id;
}

async function installmentsOf(id: string) {
  const { json } = await ask(`GET /api/v1/subscriptions/${id}/installments`);
  return json['installments'] as Record<string, unknown>[];
}

/** A debit that we have asked for and the payer's bank has scheduled. */
async function debited(changes: object = {}, outcome?: Outcome) {
  const id = await permitted(changes);
  const installment = String((await installmentsOf(id)).at(-1)?.['globalID']);
  expect((await ask(`POST /api/v1/installments/${installment}/cobr`, {})).status).toBe(200);
  automatic?.schedules(installment);
  if (outcome) {
    at('2026-12-10', '21:30:00');
    automatic?.settles(installment, outcome);
  }
  return { id, installment };
}

describe('a subscription', () => {
  test('is permitted by its code', async () => {
    const { json } = await permit();
    expect(json['subscription']).toMatchObject({
      status: 'ACTIVE',
      pixRecurring: {
        recurrencyId: expect.stringMatching(/^RR54811417\d{8}\w{11}$/),
        status: 'CREATED',
        journey: 'ONLY_RECURRENCY',
      },
    });
    const { globalID, correlationID } = json['subscription'] as Record<string, string>;
    automatic.approves(String(globalID));
    const found = (await ask(`GET /api/v1/subscriptions/${correlationID}`)).json;
    expect(found['subscription']).toMatchObject({ globalID, pixRecurring: { status: 'APPROVED' } });
    expect(await installmentsOf(String(globalID))).toMatchObject([
      { status: 'SCHEDULED', dateGenerateCharge: '2026-12-10T12:00:00.000Z', cobr: null, value: 3500 },
    ]);
    expect(events()).toEqual(['PIX_AUTOMATIC_APPROVED']);
  });

  test('whose code is paid too has its first installment paid, and its next one planned', async () => {
    const journey = options({ journey: 'PAYMENT_ON_APPROVAL' });
    const id = await permitted({ ...journey, dayGenerateCharge: 1, dayDue: 3 });
    expect(await installmentsOf(id)).toMatchObject([
      { status: 'COMPLETED', cobr: { status: 'CONCLUDED', endToEndId: expect.stringMatching(/^E\w{31}$/) } },
      { status: 'SCHEDULED', dateGenerateCharge: '2027-01-01T12:00:00.000Z' },
    ]);
    expect(events()).toEqual(['PIX_AUTOMATIC_APPROVED', 'PIX_AUTOMATIC_COBR_COMPLETED']);
  });

  test.each<[string, object]>([
    ['a member that it does not know', { metadata: {} }],
    ['no address', { customer: { name: 'Gumercindo', taxID: '52998224725' } }],
    ['a comment of 30 characters', { comment: 'x'.repeat(30) }],
    ['two months between', { frequency: 'BIMONTHLY' }],
    ['two days to pay', { dayDue: 2 }],
    ['the right spelling', options({ retryPolicy: 'NON_PERMITTED' })],
    ['a start in two days', { dayGenerateCharge: '2026-12-03T00:00:00.000Z' }],
    ['a first payment on another day', options({ journey: 'PAYMENT_ON_APPROVAL' })],
  ])('is not made with %s', async (_, changes) => {
    expect(await permit(changes)).toMatchObject({ status: 400, json: { error: expect.any(String) } });
  });

  test('starts on the day of the month that comes, the last where there are fewer', async () => {
    const days = await Promise.all(
      [1, 31].map(async (dayGenerateCharge) => {
        at('2027-02-02');
        const [installment] = await installmentsOf(await permitted({ dayGenerateCharge }));
        return installment?.['dateGenerateCharge'];
      }),
    );
    expect(days).toEqual(['2027-03-01T12:00:00.000Z', '2027-02-28T12:00:00.000Z']);
  });

  test('ends once, and takes its debits with it unless they are of today', async () => {
    const { id, installment } = await debited();
    expect((await ask(`PUT /api/v1/subscriptions/${id}/cancel`)).json['subscription']).toMatchObject({
      status: 'INACTIVE',
      pixRecurring: { status: 'CANCELED' },
    });
    expect((await ask(`PUT /api/v1/subscriptions/${id}/cancel`)).status).toBe(400);
    expect(await shown(installment)).toMatchObject({ status: 'CANCELED', cobr: { status: 'CANCELED' } });
    const late = await debited();
    at('2026-12-09', '22:00:00');
    automatic.revokes(late.id);
    expect(await shown(late.installment)).toMatchObject({ cobr: { status: 'ACTIVE' } });
    at('2026-12-10', '21:30:00');
    automatic.settles(late.installment, 'paid');
    expect(events().slice(-2)).toEqual(['PIX_AUTOMATIC_REJECTED', 'PIX_AUTOMATIC_COBR_COMPLETED']);
  });
});

describe('a debit', () => {
  test('is paid on its day, and is in the list of transactions', async () => {
    const { installment } = await debited({}, 'paid');
    const { cobr } = await shown(installment);
    expect(cobr).toMatchObject({ status: 'CONCLUDED', value: 3500, tries: [{ tryStatus: 'PAID' }] });
    const { endToEndId } = cobr as { endToEndId: string };
    expect(await shown(endToEndId)).toMatchObject({ status: 'COMPLETED' });
    const { json } = await ask('GET /api/v1/transaction');
    expect(json['transactions']).toContainEqual(expect.objectContaining({ endToEndId, value: 3500 }));
    const completed = JSON.parse(automatic.outbox.at(-1)?.body ?? '') as unknown;
    expect(completed).toMatchObject({
      event: 'PIX_AUTOMATIC_COBR_COMPLETED',
      cobr: { status: 'COMPLETED', endToEndId },
    });
  });

  test('is asked for by Woovi itself four days before, and only then', async () => {
    const id = await permitted();
    at('2026-12-05');
    expect(await installmentsOf(id)).toMatchObject([{ cobr: null }]);
    at('2026-12-06');
    expect(await installmentsOf(id)).toMatchObject([{ cobr: { status: 'CREATED' } }]);
    expect(
      automatic.journal.filter(({ act, recurrenceId }) => act === 'create' && recurrenceId === id),
    ).toEqual([]);
  });

  test.each<[string, string, object, string]>([
    ['four days before', '2026-12-06', {}, 'já tem cobr'],
    ['eleven days before', '2026-11-29', {}, '5 a 10 dias'],
    ['of less than the least amount', '2026-12-01', { value: 1 }, 'mínimo'],
  ])('is not made %s', async (_, day, body, text) => {
    at('2026-11-28');
    const id = await permitted(options({ minimumValue: 1000 }));
    const [installment] = await installmentsOf(id);
    at(day);
    expect(
      await ask(`POST /api/v1/installments/${String(installment?.['globalID'])}/cobr`, body),
    ).toMatchObject({
      status: 400,
      json: { error: expect.stringContaining(text) },
    });
  });

  test('is made once', async () => {
    const { installment } = await debited();
    expect(await ask(`POST /api/v1/installments/${installment}/cobr`, {})).toMatchObject({
      status: 400,
      json: { error: 'A parcela já tem cobr' },
    });
  });

  test('of another amount than the fixed one is refused by the bank', async () => {
    const id = await permitted(options({ retryPolicy: 'NON_PERMITED' }));
    const installment = String((await installmentsOf(id))[0]?.['globalID']);
    await ask(`POST /api/v1/installments/${installment}/cobr`, { value: 3600 });
    automatic.schedules(installment);
    expect(await shown(installment)).toMatchObject({ cobr: { status: 'REJECTED', rejectCode: 'AM09' } });
    expect((await ask(`PUT /api/v1/subscriptions/${id}/value`, { value: 3600 })).status).toBe(400);
  });

  test.each<[Outcome, string]>([
    ['no_balance', 'EXPR'],
    ['limit', 'AM02'],
    [{ code: 'AG12' }, 'AG12'],
  ])(
    'that fails with %p has the code %s, and is not tried again where that is not allowed',
    async (outcome, code) => {
      const { installment } = await debited(options({ retryPolicy: 'NON_PERMITED' }), outcome);
      expect(await shown(installment)).toMatchObject({
        status: 'EXPIRED',
        cobr: { status: 'REJECTED', tries: [{ tryStatus: 'REJECTED', rejectCode: code }] },
      });
      expect(events().slice(-2)).toEqual(['PIX_AUTOMATIC_COBR_TRY_REJECTED', 'PIX_AUTOMATIC_COBR_REJECTED']);
      expect((await ask(`POST /api/v1/installments/${installment}/cobr/retry`, {})).status).toBe(400);
    },
  );
});

describe('a retry', () => {
  test('of what Woovi asked for comes by itself, three times within a week', async () => {
    const id = await permitted();
    at('2026-12-06');
    const installment = String((await installmentsOf(id))[0]?.['globalID']);
    automatic.schedules(installment);
    for (const day of ['2026-12-10', '2026-12-11', '2026-12-14', '2026-12-17']) {
      at(day, '21:30:00');
      automatic.settles(installment, 'no_balance');
      if (day !== '2026-12-17') automatic.schedules(installment);
    }
    expect(await shown(installment)).toMatchObject({ status: 'EXPIRED', cobr: { status: 'REJECTED' } });
    expect(events().filter((each) => each.endsWith('TRY_REQUESTED'))).toHaveLength(3);
  });

  test('of what we asked for is ours to ask for, a day ahead and one at a time', async () => {
    const { installment } = await debited({}, 'no_balance');
    expect(await shown(installment)).toMatchObject({ cobr: { status: 'FAILED_TRY' } });
    const path = `POST /api/v1/installments/${installment}/cobr/retry`;
    expect((await ask(path, { value: 3600 })).status).toBe(400);
    expect((await ask(path)).status).toBe(200);
    expect((await ask(path)).status).toBe(400);
    automatic.schedules(installment);
    at('2026-12-11', '21:30:00');
    automatic.settles(installment, 'paid');
    expect(await shown(installment)).toMatchObject({ status: 'COMPLETED', cobr: { status: 'CONCLUDED' } });
  });
});
