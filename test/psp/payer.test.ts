import { describe, expect, test } from '@jest/globals';
import type { Payer, PayerField } from '../../src/core/providers/rules/charge.ts';
import { PspError } from '../../src/core/providers/rules/psp-error.ts';
import { checkPayer, phoneOf, reasonWithoutPayer } from '../../src/psp/kit/payer.ts';
import { payer } from './contract-setup.ts';

const withPhone = (phone: string | null): Payer => ({ ...payer, phone });

describe('a phone', () => {
  test.each([
    ['11987654321', '+5511987654321'],
    ['(11) 98765-4321', '+5511987654321'],
    ['+55 (11) 98765-4321', '+5511987654321'],
    ['011 98765-4321', '+5511987654321'],
    ['11 3333-4444', '+551133334444'],
    ['+1 415 555 2671', '+14155552671'],
  ])('%s is %s', (text, number) => {
    expect(phoneOf(withPhone(text))?.number).toBe(number);
  });

  test.each([
    null,
    '',
    '   ',
    '987654321',
    '(11) 8765-4321',
    '(00) 00000-0000',
    '11111111111',
    '+999 123456789',
    '+()-',
  ])('%j is none', (text) => {
    expect(phoneOf(withPhone(text))).toBeUndefined();
  });
});

describe('what a PSP demands of the payer', () => {
  const needing = (...needsPayer: PayerField[]) => ({
    needsPayer,
    expiryMinutes: { minimum: 5, maximum: 60 },
    cancel: 'unpaid' as const,
    refund: 'none' as const,
    refundIdRetentionHours: 0,
    webhookRegistration: 'panel' as const,
  });
  const refusalOf = (needed: PayerField[], changes: Partial<Payer>): PspError => {
    try {
      checkPayer(needing(...needed), { ...payer, ...changes });
    } catch (error) {
      if (error instanceof PspError) return error;
    }
    throw new Error('nothing was refused');
  };

  test.each([
    ['phone', null],
    ['phone', '(11) 8765-4321'],
    ['document', ' '],
    ['document', '123'],
    ['email', 'nobody'],
    ['name', ''],
  ] as const)('refuses %s %j by its name', (field, value) => {
    const { failure, message } = refusalOf([field], { [field]: value });
    expect(failure).toBe('rejected_payer');
    expect(message).toContain(`payer.${field}`);
  });

  test('names every field at once, and no value', () => {
    const { message } = refusalOf(['document', 'phone'], { document: '12345', phone: '555' });
    expect(message).toMatch(/payer\.document.*payer\.phone/);
    expect(message).not.toMatch(/\d/);
  });

  test('lets pass what it does not need', () => {
    expect(() => {
      checkPayer(needing('name'), { ...payer, document: '1', email: null, phone: '1' });
    }).not.toThrow();
  });
});

describe("a PSP's reason", () => {
  test.each([
    'customer GUMERCINDO albuquerque is not allowed',
    'document 529.982.247-25 or 52998224725 is invalid',
    'gumercindo@albuquerque.example was refused',
    'phone +55 (11) 98765-4321 or 11987654321',
  ])('loses what is of the payer: %s', (text) => {
    const reason = reasonWithoutPayer(text, payer);
    expect(reason).not.toMatch(/gumercindo|albuquerque|529|247|98765/i);
    expect(reason).toContain('[redacted]');
  });

  test('loses where the payer lives', () => {
    const address = {
      street: 'Rua das Laranjeiras',
      number: '12',
      district: 'Laranjeiras',
      city: 'Niterói',
      state: 'RJ',
      postalCode: '24230005',
    };
    const text = 'no such place: Rua das Laranjeiras, 12, Niterói/RJ, 24230005';
    const reason = reasonWithoutPayer(text, { ...payer, address });
    expect(reason).not.toMatch(/laranjeiras|niter|24230/i);
    expect(reason).toContain('no such place');
  });

  test('keeps the rest, on one line and of bounded length', () => {
    expect(reasonWithoutPayer('the account\n has no (Pix) key', payer)).toBe('the account has no (Pix) key');
    expect(reasonWithoutPayer('no key '.repeat(100), payer)).toHaveLength(160);
  });
});
