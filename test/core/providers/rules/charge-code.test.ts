import { describe, expect, test } from '@jest/globals';
import { BrCodeError, buildDynamicBrCode, buildStaticBrCode } from '@pix-service/br-code';
import { cents } from '../../../../src/core/base/money.ts';
import type { DueTerms } from '../../../../src/core/payments/rules/due/due-terms.ts';
import { assertCodeOf, txidOf } from '../../../../src/core/providers/rules/charge-code.ts';

const transactionId = 'a'.repeat(32);
const stating =
  (objects: Record<string, string>, due: DueTerms | null = null) =>
  () => {
    assertCodeOf(new Map(Object.entries(objects)), { transactionId, amountInCents: cents(10_50), due });
  };

describe('the code of a charge of R$ 10.50', () => {
  test.each([
    ['no amount', {}],
    ['no amount of its own', { '54': '0.00' }],
    ['the amount', { '54': '10.50' }],
    ['the amount, shortly', { '54': '10.5' }],
    ["a name of the provider's", { '62-05': '***' }],
    ['our name', { '62-05': transactionId }],
  ])('may state %s', (_, objects) => {
    expect(stating(objects)).not.toThrow();
  });

  test.each([
    ['another amount', { '54': '10.51' }],
    ['an amount in centavos', { '54': '1050' }],
    ['no number', { '54': '10,50' }],
    ['the name of another charge of ours', { '62-05': 'b'.repeat(32) }],
  ])('may not state %s', (_, objects) => {
    expect(stating(objects)).toThrow(BrCodeError);
  });

  test('that has a due date may state what is owed today', () => {
    const due = { date: '2026-12-10' as DueTerms['date'], payableDaysAfter: 0 };
    expect(stating({ '54': '9.50' }, due)).not.toThrow();
    expect(stating({ '62-05': 'b'.repeat(32) }, due)).toThrow(BrCodeError);
  });
});

describe('the txid of a charge', () => {
  const merchant = { merchantName: 'Loja', merchantCity: 'Recife' };
  const dynamic = buildDynamicBrCode({ ...merchant, location: 'pix.example.com/v2/1' });
  const stated = buildStaticBrCode({
    ...merchant,
    pixKey: 'loja@example.com',
    transactionId: 'mpqrinter129430213',
  });

  test.each([
    ['the one that the provider tells', { txid: transactionId, pixCopyPaste: dynamic }, transactionId],
    ['the one in the code', { pixCopyPaste: stated }, 'mpqrinter129430213'],
    ['none, where a code with an address hides it', { pixCopyPaste: dynamic }, null],
    ['none of an unreadable code', { pixCopyPaste: 'no code' }, null],
    ['none without a code', { pixCopyPaste: null }, null],
    ['none in a format that banks do not know', { txid: 'a-b', pixCopyPaste: stated }, null],
  ])('is %s', (_, charge, expected) => {
    expect(txidOf(charge)).toBe(expected);
  });
});
