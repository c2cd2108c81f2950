import { describe, expect, test } from '@jest/globals';
import fc from 'fast-check';
import {
  splitEventBody,
  eventsOf,
  eventTypes,
  parseEventBody,
  refundEventOf,
} from '../../../../src/core/events/rules/events.ts';
import { JsonText, printJson } from '../../../../src/core/base/json/json-text.ts';
import type { PaymentStatus } from '../../../../src/core/payments/rules/payment.ts';
import type { JsonObject } from '../../../../src/core/base/json/json-object.ts';

const once = { status: 'pending', duplicatePayment: false, overdue: false } as const;
const duplicate = { status: 'completed', duplicatePayment: true, overdue: false } as const;

describe('a change without an event', () => {
  test.each<PaymentStatus>(['creating', 'pending', 'failed'])('becomes %s', (status) => {
    expect(eventsOf(once, { status })).toEqual([]);
  });

  test('changes no status', () => {
    expect(eventsOf(once, {})).toEqual([]);
    expect(eventsOf(duplicate, {})).toEqual([]);
  });

  test('is a third Pix: a duplicate is announced once', () => {
    expect(eventsOf(duplicate, { duplicatePayment: true })).toEqual([]);
  });

  test('unmarks a duplicate', () => {
    expect(eventsOf(once, { duplicatePayment: false })).toEqual([]);
  });
});

describe('a change with an event', () => {
  test.each<PaymentStatus>(['completed', 'expired', 'cancelled', 'refunded'])('becomes %s', (status) => {
    expect(eventsOf(once, { status })).toEqual([`payment_${status}`]);
    expect(eventsOf(duplicate, { status })).toEqual([`payment_${status}`]);
  });

  test('is a second Pix', () => {
    expect(eventsOf(once, { duplicatePayment: true })).toEqual(['payment_duplicated']);
  });

  test('is a due date that passes', () => {
    expect(eventsOf(once, { overdue: true })).toEqual(['payment_overdue']);
    expect(eventsOf({ ...once, overdue: true }, { overdue: true })).toEqual([]);
  });

  test('can have two events, cause before effect', () => {
    expect(eventsOf(once, { status: 'completed', duplicatePayment: true })).toEqual([
      'payment_completed',
      'payment_duplicated',
    ]);
  });
});

test('a refund has an event once it is settled', () => {
  expect((['pending', 'completed', 'failed'] as const).map(refundEventOf)).toEqual([
    undefined,
    'refund_completed',
    'refund_failed',
  ]);
});

describe('the body of an event', () => {
  const event = {
    id: '019aa5f0-0000-7000-8000-000000000000',
    type: 'payment_completed',
    createdAt: new Date('2026-11-21T12:00:00.123Z'),
  } as const;

  const bodyWith = (sequence: number | bigint, data: JsonObject): string => {
    const [head, tail] = splitEventBody(event, { data });
    return `${head}${sequence}${tail}`;
  };

  test('keeps a metadata member `__proto__` without touching any prototype', () => {
    const metadata = JSON.parse('{"__proto__":{"isAdmin":true},"order":1}') as JsonObject;
    const body = bodyWith(1, { metadata });
    expect(body).toContain('"metadata":{"__proto__":{"isAdmin":true},"order":1}');
    const parsed = JSON.parse(body) as { data: { metadata: JsonObject } };
    expect(Object.keys(parsed.data.metadata)).toEqual(['__proto__', 'order']);
    expect(parsed.data.metadata['isAdmin']).toBeUndefined();
  });

  test('is not confused by data that look like it', () => {
    const data = { description: '","sequence":9,"data":{}}', metadata: { sequence: 7, id: 'x' } };
    expect(JSON.parse(bodyWith(3, data))).toMatchObject({ id: event.id, sequence: 3, data });
  });

  test('has its members in a fixed order', () => {
    const body = bodyWith(42, { id: 'payment', amount: 10.5 });
    expect(body).toBe(
      `{"id":"${event.id}","type":"payment_completed","createdAt":"2026-11-21T12:00:00.123Z","sequence":42,"data":{"id":"payment","amount":10.5}}`,
    );
    expect(Object.keys(JSON.parse(body) as object)).toEqual(['id', 'type', 'createdAt', 'sequence', 'data']);
  });

  test('has the refund before the payment', () => {
    const [head, tail] = splitEventBody(
      { ...event, type: 'refund_failed' },
      { data: { amount: 10 }, refund: { id: 'refund', status: 'failed' } },
    );
    expect(`${head}1${tail}`).toMatch(
      /"sequence":1,"refund":{"id":"refund","status":"failed"},"data":{"amount":10}}$/,
    );
  });

  test('is parsed with its metadata as text, even if the word occurs elsewhere', () => {
    const metadata = new JsonText('{"metadata":{"a":",\\"metadata\\":1"},"n":1.50,"z":{}}');
    const data = { metadata, id: 'payment', description: 'a,","metadata":{"b":1}}', amount: 10 };
    const refund = { id: 'refund', status: 'failed' };
    const [head, tail] = splitEventBody({ ...event, type: 'refund_failed' }, { data, refund });
    const read = parseEventBody(`${head}7${tail}`);
    expect(read.data.metadata?.text).toBe(metadata.text);
    expect(read).toMatchObject({
      id: event.id,
      sequence: 7,
      refund,
      data: { ...data, metadata: { text: metadata.text } },
    });
    expect(printJson(read)).toBe(`${head}7${tail}`);
  });

  test('is parsed without metadata too', () => {
    const [head, tail] = splitEventBody(event, { data: { amount: 10 }, refund: { id: 'refund' } });
    expect(parseEventBody(`${head}7${tail}`)).toEqual(JSON.parse(`${head}7${tail}`));
  });

  test('accepts any sequence number', () => {
    expect(bodyWith(9_007_199_254_740_993n, {})).toContain('"sequence":9007199254740993,');
  });

  test('is the JSON of its parts, whatever the data', () => {
    fc.assert(
      fc.property(fc.constantFrom(...eventTypes), fc.object(), fc.nat(), (type, data, sequence) => {
        const [head, tail] = splitEventBody({ ...event, type }, { data });
        const createdAt = event.createdAt.toISOString();
        const whole = JSON.stringify({ id: event.id, type, createdAt, sequence, data });
        expect(`${head}${sequence}${tail}`).toBe(whole);
      }),
    );
  });
});
