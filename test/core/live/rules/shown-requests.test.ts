import { expect, test } from '@jest/globals';
import { newId } from '../../../../src/core/base/ids.ts';
import {
  isInstant,
  isOwnId,
  isSmallNumber,
  shownFields,
  shownOperationName,
  shownTarget,
  type Vocabulary,
} from '../../../../src/core/live/rules/shown.ts';

const id = newId(new Date('2026-11-21T12:00:00Z'));

const vocabulary: Vocabulary = {
  segments: new Set(['v1', 'payments']),
  parameters: new Map([
    ['limit', isSmallNumber],
    ['createdFrom', isInstant],
    ['credentialId', isOwnId],
    ['status', (value: string) => value === 'completed'],
    ['search', () => false],
  ]),
  fields: new Set(['payer', 'email', 'metadata', 'items']),
  openFields: new Set(['metadata']),
};

test.each([
  ['/v1/payments', '/v1/payments'],
  [`/v1/payments/${id}`, `/v1/payments/${id}`],
  ['/v1/payments/529.982.247-25', '/v1/payments/*'],
  ['/v1/payments/maria@example.com?limit=5', '/v1/payments/*?limit=5'],
  ['/v1/payments/52998224-7250-4000-8000-000000000000', '/v1/payments/*'],
  ['/v1/payments/00000000-0000-7000-8000-052998224725', '/v1/payments/*'],
  ['/Maria/da/Silva', '/*/*/*'],
  ['/v1/%70ayments', '/v1/*'],
  ['/v1/payments/', '/v1/payments/'],
  [`/${'a/'.repeat(99)}`, `/${Array(12).fill('*').join('/')}`],
  ['/v1/payments?status=completed&status=52998224725', '/v1/payments?status=completed&status=*'],
  ['/v1/payments?limit=52998224725', '/v1/payments?limit=*'],
  ['/v1/payments?limit=987654321', '/v1/payments?limit=*'],
  ['/v1/payments?search=Maria+Silva&52998224725=1&x', '/v1/payments?search=*&*'],
  [
    '/v1/payments?createdFrom=2026-11-21T00:00:00-03:00',
    '/v1/payments?createdFrom=2026-11-21T00:00:00-03:00',
  ],
  ['/v1/payments?createdFrom=2026-11-21T00:00:00.52998224725Z', '/v1/payments?createdFrom=*'],
  [`/v1/payments?credentialId=${id}`, `/v1/payments?credentialId=${id}`],
  ['/v1/payments?__proto__=1&constructor=2', '/v1/payments?*'],
  ['/v1/payments?a?b=c%', '/v1/payments?*'],
])('of %s shows %s', (target, shown) => {
  expect(shownTarget(target, vocabulary)).toBe(shown);
});

test('shows at most twenty parameters', () => {
  const query = Array.from({ length: 99 }, (_, index) => `limit=${index}`).join('&');
  expect(shownTarget(`/v1/payments?${query}`, vocabulary).split('&')).toHaveLength(20);
});

test('shows fields by their names, of data the place alone', () => {
  const paths = [
    'payer.email',
    'metadata.maria@example.com',
    'metadata.529.982.247-25',
    'metadata.items.email',
    'items.12.email',
    'items.52998224725',
    'payer.email',
  ];
  expect(shownFields(paths, vocabulary)).toEqual(['payer.email', 'metadata.*', 'items.12.email', 'items.*']);
});

test.each([
  ['CreatePayment', 'CreatePayment'],
  ['Page2', 'Page2'],
  ['cpf_52998224725', '*'],
  ['a1b2c3d4', '*'],
  ['A'.repeat(61), '*'],
])('of an operation called %s shows %s', (name, shown) => {
  expect(shownOperationName(name)).toBe(shown);
});
