import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { newAttempt, refusedForm, sendLinkForm } from '../support/link-form.ts';
import { type LiveOrganization, openLiveOrganization } from '../support/live.ts';
import { newAddress } from '../support/people.ts';
import { pagarme } from '../support/psp-emulator/pagarme.ts';

let app: TestApp;
let live: LiveOrganization;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1' });
  live = await openLiveOrganization(app, () => new Date(), ['pagarme', pagarme]);
});

afterAll(async () => {
  await live.stop();
  await app.stop();
});

/** What people paste, and what nobody pastes by accident. */
const texts = [
  '',
  ' ',
  '\t\r\n',
  '\u00a0\u2007\u202f',
  '\u200b\u200d\ufeff',
  '\u202a+55 11 98765-4321\u202c',
  '\u202e987654321',
  '\u00ad',
  '\0',
  'a\0b',
  '\u001b[31m',
  '\u0085\u2028\u2029',
  '\ud800',
  '\udfff\ud800',
  '\uffff',
  'e\u0301'.repeat(100),
  '\u0301'.repeat(254),
  '👩‍👩‍👧‍👦'.repeat(40),
  '𝟙𝟚𝟛𝟜𝟝𝟞𝟟𝟠𝟡𝟘𝟙',
  '٠١٢٣٤٥٦٧٨٩',
  '１２３．４５６．７８９－０９',
  '½',
  '一百',
  'İıſK',
  'ﬁ ǆ ㎏',
  'null',
  'undefined',
  'true',
  'NaN',
  '-Infinity',
  '0',
  '-0',
  '-1',
  '0,001',
  '1e3',
  '1E400',
  '0x10',
  '1_000',
  '1.000.000,00',
  '1,000.00',
  'R$ 10,00',
  'R$\u00a010,00',
  '10,00 reais',
  '99999999999999999999',
  '52998224725',
  '529.982.247-25',
  '111.111.111-11',
  '12.abc.345/01de-35',
  '11987654321',
  '+55 (11) 9 8765-4321',
  'tel:+5511987654321',
  '011 98765.4321',
  '+1 650 253 0000',
  '190',
  'maria@example.com',
  'Maria <maria@example.com>',
  'mailto:maria@example.com',
  'maria@exämple.com',
  'maria@localhost',
  `${'a'.repeat(300)}@example.com`,
  'a@b'.repeat(60),
  'https://shop.example.com/obrigado?a=1&b=é#fim',
  ' https://shop.example.com ',
  'https://shop.example.com/\u200b',
  'https://user:secret@shop.example.com',
  'https://shop.example.com@evil.example',
  'https://xn--/',
  'https://[::1',
  'https://shop.example.com:99999',
  'https://1.2.3.4.5',
  'https:shop.example.com',
  '//shop.example.com',
  'http://shop.example.com',
  'javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'https://shop.example.com/%ff%00%zz',
  `https://shop.example.com/${'é'.repeat(900)}`,
  `https://shop.example.com/${'a'.repeat(2_000)}`,
  '"><script>alert(1)</script>',
  "'; DROP TABLE payment; --",
  '{{7*7}} ${7*7} %s %n',
  '=cmd|/C calc!A0',
  '../../etc/passwd',
  '\\',
  '%00%0d%0a',
  '__proto__',
  'constructor',
  'a'.repeat(201),
  'a'.repeat(5_000),
  '2026-02-30T00:00:00Z',
  '2026-12-31T23:59:60Z',
  '+275760-09-13T00:00:00.001Z',
  '9999-12-31T23:59:59-14:00',
  '-000001-01-01T00:00:00Z',
  '2030-01-01T00:00:00+99:99',
  '00000000-0000-0000-0000-000000000000',
  'ffffffff-ffff-ffff-ffff-ffffffffffff\n',
];

/** JSON as it is sent. */
const others = [
  '0',
  '-0',
  '-0.01',
  '1e-7',
  '0.1e1',
  '1e400',
  '-1e400',
  '29.949999999999999',
  '9007199254740993',
  '99999999999999999999999',
  'true',
  'false',
  'null',
  '[]',
  '["10"]',
  '[[[]]]',
  '{}',
  '{"toString":1}',
  '{"__proto__":{}}',
  '{"length":3}',
];

describe('a payment link is created or refused by the field', () => {
  const fields = [
    'amount',
    'minimumAmount',
    'maximumAmount',
    'description',
    'singleUse',
    'expiresAt',
    'returnUrl',
    'credentialId',
    'ruleSetId',
  ];

  test.each(fields)(
    '%s, whatever it is',
    async (field) => {
      const wrong: object[] = [];
      for (const json of [...texts.map((text) => JSON.stringify(text)), ...others]) {
        const { status, body } = await live.client.post(
          '/v1/payment-links',
          `{${JSON.stringify(field)}:${json}}`,
        );
        const isNamed = status === 400 && String(body.message).startsWith(`${field} `);
        if (status !== 201 && !isNamed) wrong.push({ json, status, message: body.message });
        if (status === 201) {
          const { status: shown } = await fetch(app.baseUrl + new URL(body.url).pathname, {
            headers: { 'X-Forwarded-For': newAddress() },
          });
          const read = await live.client.get(`/v1/payment-links/${body.id}`);
          if (shown !== 200 || read.status !== 200) wrong.push({ json, shown, read: read.status });
        }
      }
      expect(wrong).toEqual([]);
    },
    120_000,
  );
});

describe('the form of a link makes a payment or says at the field what is wrong', () => {
  const good = {
    amount: '10,00',
    name: 'Maria Souza',
    document: '529.982.247-25',
    email: 'maria@example.com',
    phone: '(11) 98765-4321',
  };
  let url: string;

  beforeAll(async () => {
    const { body } = await live.client.post('/v1/payment-links', {});
    url = app.baseUrl + new URL(body.url).pathname;
  });

  test.each(Object.keys(good))(
    '%s, whatever it is',
    async (field) => {
      const wrong: object[] = [];
      for (const text of texts) {
        const response = await sendLinkForm(url, { ...good, attempt: newAttempt(), [field]: text });
        const { status } = response;
        const page = await refusedForm(url, response);
        if (page === undefined && status === 303) {
          const checkout = await fetch(app.baseUrl + String(response.headers.get('location')));
          if (checkout.status !== 200) wrong.push({ text, checkout: checkout.status });
          continue;
        }
        const named = [...(page ?? '').matchAll(/id="(\w+)-error"/g)].map(([, name]) => name);
        if (named.join() !== field) wrong.push({ text, status, named });
        if (page?.includes('<script>alert')) wrong.push({ text, page });
      }
      expect(wrong).toEqual([]);
    },
    240_000,
  );

  test.each([
    ['%', 400],
    ['attempt=%&name=%zz', 400],
    ['attempt=%ff%fe&document=%ff', 400],
    ['attempt=a&attempt=b', 400],
    ['attempt[]=a', 400],
    ['__proto__[attempt]=a&constructor=b', 400],
    [`name=${'a'.repeat(9_000)}`, 413],
    ['a=1&'.repeat(30), 400],
    ['', 400],
  ])('a body that no form sends is refused: %s', async (body, status) => {
    expect((await sendLinkForm(url, body)).status).toBe(status);
  });
});
