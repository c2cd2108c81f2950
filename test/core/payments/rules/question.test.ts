import { describe, expect, test } from '@jest/globals';
import { readQuestion } from '../../../../src/core/payments/rules/search/question.ts';

/** A Thursday, 16:20 in São Paulo. */
const now = new Date('2026-11-26T19:20:00Z');
const read = (text: string) => readQuestion(text, now);
const local = (day: string, time: string) => new Date(`2026-${day}T${time}:00-03:00`);

describe('a question of several words', () => {
  test.each([
    ['maria 19,90', { search: 'maria', amountInCents: 1990n }],
    ['maria 1.234,56', { search: 'maria', amountInCents: 123_456n }],
    ['R$ 20 maria souza', { search: 'maria souza', amountInCents: 2_000n }],
    ['maria R$19.90', { search: 'maria', amountInCents: 1990n }],
    [
      'maria ontem',
      { search: 'maria', time: { from: local('11-25', '00:00'), to: local('11-26', '00:00') } },
    ],
    ['maria 15h', { search: 'maria', time: { from: local('11-26', '14:30'), to: local('11-26', '16:30') } }],
    // It has not been 18:00 yet.
    [
      'maria às 18h',
      { search: 'maria', time: { from: local('11-25', '17:30'), to: local('11-25', '19:30') } },
    ],
    [
      'maria 24/11 15:30',
      { search: 'maria', time: { from: local('11-24', '15:15'), to: local('11-24', '15:46') } },
    ],
    [
      'maria em 2026-11-20',
      { search: 'maria', time: { from: local('11-20', '00:00'), to: local('11-21', '00:00') } },
    ],
    [
      'maria 19,90 ontem 15h',
      {
        search: 'maria',
        amountInCents: 1990n,
        time: { from: local('11-25', '14:30'), to: local('11-25', '16:30') },
      },
    ],
    [
      '19,90 hoje',
      {
        search: '19,90',
        amountInCents: 1990n,
        time: { from: local('11-26', '00:00'), to: local('11-27', '00:00') },
      },
    ],
    ['ontem 9h30', { time: { from: local('11-25', '09:15'), to: local('11-25', '09:46') } }],
  ])('%s', (text, question) => {
    expect(read(text)).toEqual(question);
  });

  test('asks for a day that is to come in the year before', () => {
    expect(read('maria 24/12').time?.from).toEqual(new Date('2025-12-24T03:00:00Z'));
    expect(read('maria 24/12/26').time?.from).toEqual(new Date('2026-12-24T03:00:00Z'));
  });
});

test.each([
  'maria',
  'ontem',
  '19,90',
  'R$ 19,90',
  'maria souza',
  'pedido 1990',
  'maria 31/02',
  'maria 25h',
  '(11) 98765 4321',
  '"maria 19,90"',
  '00020126 loja 19,90 hoje',
])('%s means itself', (text) => {
  expect(read(text)).toEqual({ search: text });
});
