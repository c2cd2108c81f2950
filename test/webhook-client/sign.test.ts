import { describe, expect, test } from '@jest/globals';
import { Webhook } from 'standardwebhooks';
import { newWebhookSecret, signatureHeaders } from '../../src/webhook-client/sign.ts';

const body = '{"type":"payment_completed","data":{"description":"Pão de açúcar ☕"}}';

const signed = (...secrets: string[]) =>
  signatureHeaders({ id: 'msg_1', timestamp: new Date(), body, secrets });

const signaturesIn = (headers: Record<string, string>) => headers['webhook-signature']?.split(' ') ?? [];

test('the published vector', () => {
  const headers = signatureHeaders({
    id: 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    timestamp: new Date(1_614_265_330_999),
    body: '{"test": 2432232314}',
    secrets: ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  });
  expect(headers).toEqual({
    'webhook-id': 'msg_p5jXN8AQM9LWM0D4loKWxJek',
    'webhook-timestamp': '1614265330',
    'webhook-signature': 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=',
  });
});

test('a secret is 32 random bytes in Base64', () => {
  const secret = newWebhookSecret();
  expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
  expect(newWebhookSecret()).not.toBe(secret);
});

test('a secret of another kind signs nothing and is not quoted', () => {
  expect(() => signed('c2VjcmV0')).toThrow(/^a webhook secret must begin with whsec_$/);
});

test('a string and its bytes have the same signature', () => {
  const secrets = [newWebhookSecret()];
  const message = { id: 'msg_1', timestamp: new Date(), secrets };
  expect(signatureHeaders({ ...message, body: Buffer.from(body) })).toEqual(
    signatureHeaders({ ...message, body }),
  );
});

describe('the reference library', () => {
  const secret = newWebhookSecret();

  test('verifies what we sign', () => {
    expect(new Webhook(secret).verify(body, signed(secret))).toEqual(JSON.parse(body));
  });

  test('signs the same', () => {
    const timestamp = new Date();
    const headers = signatureHeaders({ id: 'msg_1', timestamp, body, secrets: [secret] });
    expect(headers['webhook-signature']).toBe(new Webhook(secret).sign('msg_1', timestamp, body));
  });

  test.each([
    ['another secret', newWebhookSecret(), body],
    ['another body', secret, body.replace('completed', 'cancelled')],
  ])('refuses %s', (_, known, received) => {
    expect(() => new Webhook(known).verify(received, signed(secret))).toThrow('No matching signature found');
  });

  test('verifies both signatures of a rotation, the new one first', () => {
    const [current, previous] = [newWebhookSecret(), newWebhookSecret()];
    const headers = signed(current, previous);
    expect(signaturesIn(headers)).toHaveLength(2);
    expect(signaturesIn(headers)[0]).toBe(
      new Webhook(current).sign('msg_1', new Date(Number(headers['webhook-timestamp']) * 1_000), body),
    );
    for (const each of [current, previous]) {
      expect(new Webhook(each).verify(body, headers)).toEqual(JSON.parse(body));
    }
    expect(() => new Webhook(newWebhookSecret()).verify(body, headers)).toThrow();
  });
});
