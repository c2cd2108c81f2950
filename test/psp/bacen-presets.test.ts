import { describe, expect, test } from '@jest/globals';
import { bacen } from '../../src/psp/bacen/adapter.ts';
import type { HttpRequest } from '../../src/psp/http/http-client.ts';
import { parseSettings } from '../../src/psp/providers.ts';
import { byOurIdOnly, newHexId, soon } from './contract-setup.ts';
import { fakeTools } from './fake-http.ts';

const settings = {
  baseUrl: 'http://localhost/pix/v1',
  tokenUrl: 'http://localhost/token',
  clientId: 'the-client',
  clientSecret: 'the-secret',
  pixKey: '7d9f0335-8dcc-4054-9bf9-0dbd61d36906',
  merchantName: 'Padaria',
  merchantCity: 'Ouro Preto',
};

const basic = `Basic ${Buffer.from('the-client:the-secret').toString('base64')}`;
const scope = 'cob.read cob.write pix.read pix.write webhook.read webhook.write';
const notFound = { type: 'https://pix.bcb.gov.br/api/v2/error/CobNaoEncontrado', status: 404 };

/** The requests of a sign-in and two lookups. */
async function requestsWith(changes: Record<string, unknown>) {
  const sent: HttpRequest[] = [];
  const tools = fakeTools((_, request) => {
    sent.push(request);
    return request.method === 'POST'
      ? { json: { access_token: 'token', expires_in: 300 } }
      : { status: 404, json: notFound };
  });
  const adapter = bacen.connect(parseSettings(bacen, { ...settings, ...changes }), tools);
  for (let index = 0; index < 2; index += 1) await adapter.findCharge(byOurIdOnly(newHexId()), soon());
  const [token, ...lookups] = sent;
  const { body } = token ?? {};
  const form = body instanceof URLSearchParams ? Object.fromEntries(body) : body;
  return { token, form, lookups, search: new URL(lookups[0]?.url ?? '').search };
}

describe('the sign-in at', () => {
  test.each<[string, Record<string, unknown>, object, string | undefined]>([
    ['a bank of the standard', {}, { grant_type: 'client_credentials' }, basic],
    ['Efí', { preset: 'efi' }, { grant_type: 'client_credentials' }, basic],
    [
      'Banco do Brasil',
      { preset: 'banco-do-brasil', appKey: 'app' },
      { grant_type: 'client_credentials', scope },
      basic,
    ],
    ['Sicredi', { preset: 'sicredi' }, { grant_type: 'client_credentials', scope }, basic],
    ['Bradesco', { preset: 'bradesco' }, { grant_type: 'client_credentials' }, basic],
    [
      'Itaú',
      { preset: 'itau' },
      { grant_type: 'client_credentials', client_id: 'the-client', client_secret: 'the-secret' },
      undefined,
    ],
    [
      'Inter',
      { preset: 'inter' },
      { grant_type: 'client_credentials', client_id: 'the-client', client_secret: 'the-secret', scope },
      undefined,
    ],
    [
      'Sicoob, without the secret',
      { preset: 'sicoob' },
      { grant_type: 'client_credentials', client_id: 'the-client', scope },
      undefined,
    ],
  ])('%s has this body and header', async (_, changes, body, authorization) => {
    const { form, token } = await requestsWith(changes);
    expect(form).toEqual(body);
    expect(token?.headers?.['authorization']).toBe(authorization);
  });

  test('Efí and PagBank is JSON, elsewhere a form', async () => {
    const isForm = async (changes: Record<string, unknown>) =>
      (await requestsWith(changes)).token?.body instanceof URLSearchParams;
    expect(await isForm({ preset: 'efi' })).toBe(false);
    expect(await isForm({ preset: 'pagbank' })).toBe(false);
    expect(await isForm({ preset: 'pagbank', tokenBody: 'form' })).toBe(true);
    expect(await isForm({ preset: 'sicredi' })).toBe(true);
  });

  test('Santander has the grant in the query too', async () => {
    const { token } = await requestsWith({ preset: 'santander' });
    expect(token?.url).toBe('http://localhost/token?grant_type=client_credentials');
  });
});

describe('every request to', () => {
  test.each<[string, Record<string, unknown>, Record<string, string>, string]>([
    ['a bank of the standard', {}, {}, ''],
    ['Itaú', { preset: 'itau' }, { 'x-itau-apikey': 'the-client' }, ''],
    ['Santander', { preset: 'santander' }, { 'X-Application-Key': 'the-client' }, ''],
    ['Sicoob', { preset: 'sicoob' }, { client_id: 'the-client' }, ''],
    ['Inter', { preset: 'inter', accountNumber: '12345' }, { 'x-conta-corrente': '12345' }, ''],
    ['Banco do Brasil', { preset: 'banco-do-brasil', appKey: 'a&b' }, {}, '?gw-dev-app-key=a%26b'],
    ['a bank of its own', { headers: { 'x-a': 'b' }, query: { c: 'd' } }, { 'x-a': 'b' }, '?c=d'],
  ])('%s has its headers and query', async (__, changes, headers, search) => {
    const { lookups, ...first } = await requestsWith(changes);
    expect(first.search).toBe(search);
    for (const lookup of lookups) {
      const { 'x-itau-correlationID': _, ...sent } = lookup.headers ?? {};
      expect(sent).toEqual({ ...headers, authorization: 'Bearer token' });
    }
  });

  test('Itaú has an id of its own', async () => {
    const { token, lookups } = await requestsWith({ preset: 'itau', headers: {} });
    const ids = [token, ...lookups].map((request) => request?.headers?.['x-itau-correlationID']);
    for (const id of ids) expect(id).toMatch(/^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/);
    expect(new Set(ids).size).toBe(3);
  });
});

test('a token is kept as long as the bank says, or five minutes when it does not', async () => {
  for (const expiresIn of [undefined, null, '3600', 3600]) {
    let signIns = 0;
    let now = new Date();
    const tools = fakeTools((_, { method }) => {
      if (method === 'POST') signIns += 1;
      return method === 'POST'
        ? { json: { access_token: 'x'.repeat(4_000), expires_in: expiresIn } }
        : { status: 404, json: notFound };
    });
    const adapter = bacen.connect(parseSettings(bacen, settings), { ...tools, now: () => now });
    for (const minutes of [0, 3, 3]) {
      now = new Date(now.getTime() + minutes * 60_000);
      await adapter.findCharge(byOurIdOnly(newHexId()), soon());
    }
    expect(signIns).toBe(expiresIn ? 1 : 2);
  }
});
