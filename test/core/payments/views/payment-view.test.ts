import { expect, test } from '@jest/globals';
import { payerlessView, paymentView } from '../../../../src/core/payments/views/payment-view.ts';
import { maskPayer } from '../../../../src/core/payments/rules/payer-mask.ts';
import { type Payment, paymentPrivacy } from '../../../../src/core/payments/rules/payment.ts';
import { JsonText } from '../../../../src/core/base/json/json-text.ts';
import { cents } from '../../../../src/core/base/money.ts';

const at = new Date('2026-11-20T12:00:00.000Z');

/** What a new field of payments adds need not be here. */
const payment = {
  id: '0199a000-0000-7000-8000-000000000001',
  organizationId: '0199a000-0000-7000-8000-000000000002',
  mode: 'live',
  status: 'completed',
  amountInCents: cents(11_010n),
  provider: 'woovi',
  description: 'Order 17',
  externalId: 'order-17',
  payerName: 'Maria da Silva',
  payerDocument: '52998224725',
  payerEmail: 'maria@example.com',
  payerPhone: '+5511999990000',
  payerAddress: {
    street: 'Rua das Flores',
    number: '12',
    complement: 'Casa 3',
    district: 'Centro',
    city: 'Curitiba',
    state: 'PR',
    postalCode: '80020090',
  },
  metadata: JsonText.of({ note: 'private' }),
  pixCopyPaste: '00020126',
  createdAt: at,
  expiresAt: at,
  confirmedAt: at,
  refundedInCents: cents(10n),
  reversedInCents: cents(0n),
  disputed: false,
  pixId: 'E1234567820261120120000000000001',
} as Payment;

test("the payer's browser sees everything but payer data and metadata", () => {
  const { payerName, payerDocument, payerEmail, payerAddress, metadata, ...others } = paymentView(payment);
  const { paidBy: _who, payerMatches: _whether, ...rest } = others;
  expect([payerName, payerDocument, payerEmail, payerAddress, metadata]).not.toContain(undefined);
  expect(payerlessView(payment)).toStrictEqual(rest);
});

test('a field that is not known to be for the payer does not reach the browser', () => {
  const shown = Object.keys(payerlessView(payment));
  const classes: Readonly<Record<string, string>> = paymentPrivacy;
  expect(shown.filter((name) => ['payer', 'payer JSON', 'free JSON'].includes(classes[name] ?? ''))).toEqual(
    [],
  );
  expect(shown).toContain('description');
});

test('who may not see payers sees no more of the address than city and state', () => {
  const shown = maskPayer(paymentView(payment));
  expect(shown.payerAddress).toEqual({
    street: '***',
    number: '***',
    city: 'Curitiba',
    state: 'PR',
    postalCode: '***',
  });
});
