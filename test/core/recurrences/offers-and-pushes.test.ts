import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { parseBrCode } from '@pix-service/br-code';
import { addDays, calendarDayOf } from '../../../src/core/base/time/calendar-day.ts';
import { maskPayer } from '../../../src/core/payments/rules/payer-mask.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Client, createClient } from '../../support/client.ts';
import { createKey } from '../../support/factories.ts';

let app: TestApp;
let client: Client;

beforeAll(async () => {
  app = await startTestApp({ RATE_LIMIT_PER_MINUTE: '100000' });
});

afterAll(() => app.stop());

beforeEach(async () => {
  client = createClient(app.baseUrl, (await createKey(app.services)).key);
});

/** In São Paulo. */
const dayAfter = (days: number): string => {
  const today = calendarDayOf(new Date(Date.now() - 3 * 3_600_000).toISOString().slice(0, 10));
  return today ? addDays(today, days) : '';
};

const body = (more: object) => ({
  payer: { name: 'Fulano de Tal', document: '529.982.247-25' },
  contract: '63100862',
  amount: 35,
  frequency: 'monthly',
  startDate: dayAfter(40),
  ...more,
});

const offer = (due: object = {}) =>
  body({ authorization: 'offer', firstPayment: { amount: 80, due: { date: dayAfter(10), ...due } } });

const payerAccount = { ispb: '91193552', branch: '2569', account: '550689' };
const push = (more: object = {}) => body({ authorization: 'push', payerAccount, ...more });

interface Made {
  id: string;
  firstPaymentId: string;
  pixCopyPaste: string;
}

async function create(input: object): Promise<Made> {
  const made = await client.post('/v1/recurrences', input);
  expect(made).toMatchObject({ status: 201 });
  return made.body as Made;
}

const act = (path: string) => client.post(`/v1/sandbox/${path}`);
const read = async (path: string) => (await client.get(`/v1/${path}`)).body;

test.each([
  [{ authorization: 'offer' }, 'firstPayment', 'is required with authorization offer'],
  [
    { authorization: 'offer', firstPayment: { amount: 80 } },
    'firstPayment.due',
    'is required with authorization offer',
  ],
  [
    { authorization: 'qr_with_payment', firstPayment: { amount: 80, due: { date: dayAfter(5) } } },
    'firstPayment.due',
    'must be left out with authorization qr_with_payment',
  ],
  [
    {
      authorization: 'offer',
      firstPayment: { amount: 80, expirationMinutes: 60, due: { date: dayAfter(5) } },
    },
    'firstPayment.expirationMinutes',
    'must be left out when due is given',
  ],
  [
    { authorization: 'offer', firstPayment: { amount: 80, due: { date: dayAfter(-1) } } },
    'firstPayment.due.date',
    'must not be before today',
  ],
  [{ authorization: 'push' }, 'payerAccount', 'is required with authorization push'],
  [{ authorization: 'qr', payerAccount }, 'payerAccount', 'must be left out with authorization qr'],
  [
    { authorization: 'push', payerAccount: { ...payerAccount, ispb: '9119355' } },
    'payerAccount.ispb',
    'must be 8 digits or capital letters',
  ],
  [
    { authorization: 'push', payerAccount: { ...payerAccount, account: '55068-9' } },
    'payerAccount.account',
    'must be 1 to 20 digits or letters, without a hyphen',
  ],
])('%j is refused because of %s', async (more, name, rule) => {
  const refused = await client.post('/v1/recurrences', body(more));
  expect(refused).toMatchObject({
    status: 400,
    body: { message: expect.stringContaining(`${name} ${rule}`) },
  });
});

describe('an offer', () => {
  test('has a code that pays a payment with a due date', async () => {
    const { firstPaymentId, pixCopyPaste } = await create(offer());
    const code = parseBrCode(pixCopyPaste);
    expect(code.get('26-25')).toEqual(expect.any(String));
    expect(code.get('80-25')).toMatch(/\/rec\//);
    expect(await read(`payments/${firstPaymentId}`)).toMatchObject({
      status: 'pending',
      amount: 80,
      due: { date: dayAfter(10) },
      pixCopyPaste,
    });
  });

  test('is not accepted by paying alone', async () => {
    const { id, firstPaymentId } = await create(offer());
    await act(`payments/${firstPaymentId}/pay`);
    expect(await read(`payments/${firstPaymentId}`)).toMatchObject({ status: 'completed' });
    expect(await read(`recurrences/${id}`)).toMatchObject({ status: 'pending' });
  });

  test('is paid by accepting it, on the terms of the day', async () => {
    const { id, firstPaymentId } = await create(offer({ discounts: [{ until: dayAfter(5), amount: 5 }] }));
    expect(await act(`recurrences/${id}/approve`)).toMatchObject({ body: { status: 'active' } });
    expect(await read(`payments/${firstPaymentId}`)).toMatchObject({
      status: 'completed',
      amountPaid: 75,
    });
  });

  test('is over once its payment can no longer be made', async () => {
    const { id, firstPaymentId } = await create(offer({ payableDaysAfter: 0 }));
    await act(`recurrences/${id}/reject`);
    await client.post('/v1/sandbox/clock', { advance: 'P14D' });
    expect(await read(`recurrences/${id}`)).toMatchObject({ status: 'rejected' });
    expect(await read(`payments/${firstPaymentId}`)).toMatchObject({ status: 'expired' });
  });
});

describe('a recurrence for which the payer’s bank asks', () => {
  test('has no code, and tells the account', async () => {
    const made = await client.post('/v1/recurrences', push());
    expect(made).toMatchObject({ status: 201, body: { status: 'pending', payerAccount } });
    expect(made.body).not.toHaveProperty('pixCopyPaste');
    expect(made.body).not.toHaveProperty('pixQrCodeBase64');
    expect(made.body.checkoutUrl).toEqual(expect.any(String));
  });

  test('is permitted, and debited', async () => {
    const { id } = await create(push());
    expect(await act(`recurrences/${id}/approve`)).toMatchObject({ body: { status: 'active' } });
    await client.post('/v1/sandbox/clock', { advance: 'P45D' });
    expect((await read(`recurrences/${id}/payments`)).data).toMatchObject([
      { status: 'completed', amount: 35 },
    ]);
  });

  test('hides the account from whoever may not see payers', () => {
    expect(maskPayer({ payerAccount })).toEqual({ payerAccount: { ispb: '91193552', account: '****89' } });
  });
});
