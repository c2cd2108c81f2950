import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { type AddressInfo, connect } from 'node:net';
import { brotliCompressSync, constants, deflateSync, gzipSync } from 'node:zlib';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createExpress } from '../../src/http/base/create-express.ts';
import { handleErrors } from '../../src/http/base/errors.ts';
import type { Logger } from '../../src/observability/logger.ts';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Answer, type Client, createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { statusOfCode } from '../../src/transport/error-body.ts';
import { expectError } from '../support/error-shape.ts';
import { createKey, type TestKey } from '../support/factories.ts';
import { importNatively } from '../support/import-natively.ts';
import { rawRequest, sendRaw } from '../support/raw-request.ts';

let app: TestApp;
let key: TestKey;
let client: Client;
let anonymous: Client;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
  key = await createKey(app.services);
  client = createClient(app.baseUrl, key.key);
  anonymous = createClient(app.baseUrl);
});

afterAll(() => app.stop());

const json = ['Content-Type', 'application/json'] as const;
const withKey = () => ['X-API-Key', key.key] as const;
const uuid = '01890a5d-ac96-774b-bcce-b302099a8057';

/** A create request of exactly so many bytes. */
const bodyOf = (bytes: number, amount: unknown = 1): string => {
  const rest = JSON.stringify({ amount, padding: '' }).length;
  return JSON.stringify({ amount, padding: 'x'.repeat(bytes - rest) });
};

describe('an unknown route', () => {
  test.each([
    ['POST', '/'],
    ['POST', '/v1'],
    ['GET', '/v2/payments'],
    ['DELETE', '/v1/payments/a/b'],
    ['GET', '/v1/sandbox/payments'],
    ['POST', `/v1/sandbox/payments/${uuid}/refund`],
    ['GET', '/docs/nothing.js'],
    ['GET', '/explorer/nothing.js'],
    ['GET', '/docs/..%2f..%2fpackage.json'],
    ['GET', '/docs/%00'],
    ['OPTIONS', '*'],
    ['GET', '//'],
  ])('gets 404 for %s %s and is named', async (method, path) => {
    const answer = await rawRequest(app.baseUrl, `${method} ${path}`);
    expectError(answer, 404, 'NotFound');
    expect(answer.body.details).toEqual({ resource: 'Route', id: path });
    expect(answer.body.message).toContain(path);
  });

  test('is named without its query, which may contain a key', async () => {
    const { body } = await anonymous.get(`/nowhere?key=${key.key}`);
    expect(JSON.stringify(body)).not.toContain(key.key);
    expect(body.details.id).toBe('/nowhere');
  });
});

describe('an unsupported method', () => {
  test.each([
    ['/v1/payments', ['PUT', 'PATCH', 'DELETE', 'OPTIONS', 'TRACE'], 'GET, HEAD, POST'],
    ['/v1/payments/:id', ['POST', 'PUT', 'DELETE', 'OPTIONS'], 'GET, HEAD, PATCH'],
    ['/psp/bacen/token', ['GET', 'PUT'], 'POST'],
    ['/psp/bacen/token/pix', ['GET', 'PUT'], 'POST'],
    ['/psp/bacen/token/rec', ['GET', 'PUT'], 'POST'],
    ['/psp/bacen/token/cobr', ['GET', 'PUT'], 'POST'],
    ['/graphql', ['PUT', 'DELETE', 'OPTIONS'], 'GET, HEAD, POST'],
    ['/openapi.json', ['POST', 'DELETE'], 'GET, HEAD'],
    ['/docs', ['POST', 'DELETE'], 'GET, HEAD'],
    ['/docs/reference/swagger-ui.css', ['POST'], 'GET, HEAD'],
    ['/explorer/', ['POST', 'DELETE'], 'GET, HEAD'],
    ['/healthz', ['POST', 'DELETE'], 'GET, HEAD'],
    ['/readyz', ['POST', 'DELETE'], 'GET, HEAD'],
    ['/metrics', ['POST', 'DELETE'], 'GET, HEAD'],
  ])('gets 405 on %s for %j, and Allow is %s', async (path, methods, allowed) => {
    for (const method of methods) {
      const answer = await rawRequest(app.baseUrl, `${method} ${path.replace(':id', uuid)}`, [withKey()]);
      expectError(answer, 405, 'MethodNotAllowed');
      expect(answer.headers.get('allow')).toBe(allowed);
      expect(answer.body.message).toContain(method);
    }
  });

  test('is refused without reading the body', async () => {
    expectError(
      await rawRequest(app.baseUrl, 'PUT /v1/payments', [json, withKey()], '{broken'),
      405,
      'MethodNotAllowed',
    );
  });
});

describe('invalid HTTP', () => {
  test.each([
    ['no HTTP at all', 'hello\r\n\r\n', 400, 'BadRequest'],
    ['a TLS handshake', '\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03\r\n\r\n', 400, 'BadRequest'],
    ['a header without a colon', 'GET /healthz HTTP/1.1\r\nHost: a\r\nbroken\r\n\r\n', 400, 'BadRequest'],
    ['HTTP/1.1 without a Host', 'GET /healthz HTTP/1.1\r\nConnection: close\r\n\r\n', 400, 'BadRequest'],
    [
      'a chunk whose size is no number',
      'POST /v1/payments HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nConnection: close\r\n\r\nxyz\r\n',
      400,
      'BadRequest',
    ],
    [
      'both a length and chunks, as request smuggling does',
      'POST /v1/payments HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'BadRequest',
    ],
    ['two Host headers', 'GET /healthz HTTP/1.1\r\nHost: a\r\nHost: a\r\n\r\n', 400, 'BadRequest'],
    [
      'two Host headers of HTTP/1.0',
      'GET /healthz HTTP/1.0\r\nHost: a\r\nhost: b\r\n\r\n',
      400,
      'BadRequest',
    ],
    [
      'two Host headers of a WebSocket handshake',
      'GET /graphql HTTP/1.1\r\nHost: a\r\nHost: b\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\n\r\n',
      400,
      'BadRequest',
    ],
    [
      'a transfer coding other than chunked',
      'POST /v1/payments HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n',
      400,
      'BadRequest',
    ],
    [
      'chunked twice',
      'POST /v1/payments HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n',
      400,
      'BadRequest',
    ],
    [
      'a WebSocket handshake without its key',
      'GET /graphql HTTP/1.1\r\nHost: a\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n\r\n',
      400,
      'BadRequest',
    ],
    [
      'a request line over 16 KB',
      `GET /v1/payments/${'a'.repeat(17_000)} HTTP/1.1\r\nHost: a\r\n\r\n`,
      431,
      'RequestHeaderFieldsTooLarge',
    ],
    [
      'headers over 16 KB',
      `GET /healthz HTTP/1.1\r\nHost: a\r\nX-Padding: ${'a'.repeat(17_000)}\r\n\r\n`,
      431,
      'RequestHeaderFieldsTooLarge',
    ],
  ])('is refused in the usual shape: %s', async (_name, bytes, statusCode, error) => {
    expectError(await sendRaw(app.baseUrl, bytes), statusCode, error);
  });

  test('a URL that cannot be parsed is refused in the usual shape', async () => {
    const answer = await rawRequest(app.baseUrl, 'GET http://[::1/v1/payments');
    expectError(answer, 400, 'BadRequest');
  });

  test('an absolute URL, as sent to a proxy, is resolved by its path', async () => {
    const answer = await rawRequest(app.baseUrl, 'GET http://localhost/nowhere?a=b');
    expectError(answer, 404, 'NotFound');
    expect(answer.body.details.id).toBe('/nowhere');
  });

  test('an unknown expectation is ignored', async () => {
    const answer = await rawRequest(app.baseUrl, 'GET /nowhere', [['Expect', 'a-miracle']]);
    expectError(answer, 404, 'NotFound');
  });

  test('CONNECT is refused in the usual shape', async () => {
    const answer = await sendRaw(
      app.baseUrl,
      'CONNECT example.com:443 HTTP/1.1\r\nHost: example.com\r\n\r\n',
    );
    expectError(answer, 400, 'BadRequest');
  });

  test('a client that resets the connection after CONNECT crashes nothing', async () => {
    const uncaught: unknown[] = [];
    const note = (error: unknown) => void uncaught.push(error);
    process.on('uncaughtExceptionMonitor', note);
    const { hostname, port } = new URL(app.baseUrl);
    for (let time = 0; time < 20; time++) {
      const socket = connect(Number(port), hostname);
      await once(socket, 'connect');
      socket.write('CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n');
      await once(socket, 'data');
      socket.resetAndDestroy();
    }
    expectError(await sendRaw(app.baseUrl, 'CONNECT a:1 HTTP/1.1\r\nHost: a\r\n\r\n'), 400, 'BadRequest');
    process.off('uncaughtExceptionMonitor', note);
    expect(uncaught).toEqual([]);
  });
});

describe('the media type', () => {
  test.each([
    ['is missing', undefined],
    ['is text', 'text/plain'],
    ['is a form', 'application/x-www-form-urlencoded'],
    ['is multipart', 'multipart/form-data; boundary=x'],
    ['only begins like JSON', 'application/json-patch+json'],
    ['names JSON in a parameter', 'text/plain; a=application/json'],
    ['is another charset than UTF-8', 'application/json; charset=iso-8859-1'],
    ['is UTF-16', 'application/json; charset=utf-16'],
    ['is UTF-7', 'application/json; charset=utf-7'],
    ['is empty', ''],
  ])('is refused with 415 when it %s', async (_name, mediaType) => {
    const headers = mediaType === undefined ? [] : [['Content-Type', mediaType] as const];
    const answer = await rawRequest(
      app.baseUrl,
      'POST /v1/payments',
      [withKey(), ...headers],
      '{"amount":1}',
    );
    expectError(answer, 415, 'UnsupportedMediaType');
  });

  test.each([
    'application/json',
    'application/json; charset=utf-8',
    'APPLICATION/JSON;CHARSET=UTF-8',
    'application/json ; charset="UTF-8"',
    'application/json; charset=utf8',
    'application/json;charset="utf8"',
    'application/json; charset= utf-8',
    'application/json; charset =  UTF-8 ; a=b',
    ' application/json ;  charset\t=\tutf-8',
  ])('may be %s', async (mediaType) => {
    const answer = await rawRequest(
      app.baseUrl,
      'POST /v1/payments',
      [withKey(), ['Content-Type', mediaType]],
      '{"amount":1}',
    );
    expect(answer.status).toBe(201);
  });

  test('holds nobody up with thousands of spaces', async () => {
    const mediaType = `application/json; charset=${' '.repeat(15_000)}x`;
    const began = performance.now();
    for (let request = 0; request < 20; request += 1) {
      const headers = [withKey(), ['Content-Type', mediaType]] as const;
      expectError(
        await rawRequest(app.baseUrl, 'POST /v1/payments', headers, '{"amount":1}'),
        415,
        'UnsupportedMediaType',
      );
    }
    expect(performance.now() - began).toBeLessThan(2_500);
  });

  test('is refused with 415 if the encoding is unknown', async () => {
    const answer = await client.post('/v1/payments', '{"amount":1}', { 'Content-Encoding': 'x-unknown' });
    expectError(answer, 415, 'UnsupportedMediaType');
  });
});

describe('the size of the body', () => {
  test('over 65536 bytes gets 413', async () => {
    const answer = await client.post('/v1/payments', bodyOf(65_537));
    expectError(answer, 413, 'PayloadTooLarge');
    expect(answer.body.message).toBe('body must be at most 65536 bytes');
  });

  test('of 65536 bytes passes on to validation', async () => {
    const answer = await client.post('/v1/payments', bodyOf(65_536, 0));
    expectError(answer, 400, 'BadRequest');
    expect(answer.body.message).toBe('amount must be at least 0.01');
  });

  test('over the limit gets 413 in chunks too', async () => {
    const chunk = 'x'.repeat(66_000);
    const answer = await rawRequest(
      app.baseUrl,
      'POST /v1/payments',
      [withKey(), json, ['Transfer-Encoding', 'chunked']],
      `${chunk.length.toString(16)}\r\n${chunk}\r\n0\r\n\r\n`,
    );
    expectError(answer, 413, 'PayloadTooLarge');
  });

  test('is refused by its announced length, before the body is sent', async () => {
    const answer = await rawRequest(app.baseUrl, 'POST /v1/payments', [
      withKey(),
      json,
      ['Content-Length', '10000000000'],
    ]);
    expectError(answer, 413, 'PayloadTooLarge');
  });

  test.each([
    ['gzip', gzipSync],
    ['deflate', deflateSync],
    ['br', (bytes: Buffer) => brotliCompressSync(bytes, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } })],
  ])('counts the unpacked bytes of a %s bomb', async (encoding, compress) => {
    const bomb = compress(Buffer.alloc(5_000_000, ' '));
    expect(bomb.length).toBeLessThan(65_536);
    const answer = await rawRequest(
      app.baseUrl,
      'POST /v1/payments',
      [withKey(), json, ['Content-Encoding', encoding]],
      bomb,
    );
    expectError(answer, 413, 'PayloadTooLarge');
  });
});

describe('a PSP notification', () => {
  const post = (path: string, body: string): Promise<Answer> =>
    rawRequest(app.baseUrl, `POST ${path}`, [json], body);

  test.each([
    '/psp/bacen/stolen-token',
    '/psp/bacen/stolen-token/pix',
    '/psp/bacen/stolen-token/cobr',
    '/psp/nobody/stolen-token',
  ])('to %s, an unknown address, gets 404 without repeating its token', async (path) => {
    const answer = await post(path, '{"pix":[]}');
    expectError(answer, 404, 'NotFound');
    expect(answer.body.details.resource).toBe('Route');
    expect(JSON.stringify(answer.body)).not.toContain('stolen-token');
  });
});

describe('a refund', () => {
  test.each([
    ['broken JSON', '{broken', 400, 'BadRequest', 'body must be valid JSON'],
    ['a list', '[1]', 400, 'BadRequest', 'body must be a JSON object'],
    ['an amount in a string', '{"amount":"1"}', 400, 'BadRequest', 'amount must be a number'],
    ['an amount of nothing', '{"amount":0}', 400, 'BadRequest', 'amount must be at least 0.01'],
    [
      'an amount beyond all bounds',
      '{"amount":1e309}',
      400,
      'BadRequest',
      'amount must be at most 9999999999.99',
    ],
    ['three decimals', '{"amount":1.001}', 400, 'BadRequest', 'amount must have at most two decimals'],
    ['more than 64 KiB', bodyOf(70_000), 413, 'PayloadTooLarge', 'body must be at most 65536 bytes'],
    ['nothing wrong', '{"amount":1}', 409, 'Conflict', 'A payment that is pending cannot be refunded'],
  ])('of a pending payment with %s is refused', async (_name, body, statusCode, error, message) => {
    const created = await client.post('/v1/payments', { amount: 5 });
    const answer = await client.post(`/v1/payments/${created.body.id}/refunds`, body);
    expectError(answer, statusCode, error);
    expect(answer.body.message).toBe(message);
  });

  test('sent as text gets 415', async () => {
    const text = { 'Content-Type': 'text/plain' };
    const answer = await client.post(`/v1/payments/${uuid}/refunds`, '{}', text);
    expectError(answer, 415, 'UnsupportedMediaType');
  });
});

describe('an unreadable body', () => {
  const send = (body: string | Buffer, headers: (readonly [string, string])[] = []): Promise<Answer> =>
    rawRequest(app.baseUrl, 'POST /v1/payments', [withKey(), json, ...headers], body);

  test.each([
    ['broken JSON', '{"amount": 1'],
    ['JSON with a comment', '{"amount": 1} // one'],
    ['JSON with single quotes', "{'amount': 1}"],
    ['a number that JSON has not', '{"amount": NaN}'],
    ['a trailing comma', '{"amount": 1,}'],
    ['two documents', '{"amount":1}{"amount":2}'],
    ['only spaces', '   '],
    ['60,000 brackets', '['.repeat(60_000)],
  ])('gets 400 for %s', async (_name, body) => {
    const answer = await send(body);
    expectError(answer, 400, 'BadRequest');
    expect(answer.body.message).toBe('body must be valid JSON');
  });

  test.each([
    ['Latin-1', Buffer.from('{"amount":1,"description":"Pagamento à vista"}', 'latin1')],
    ['an overlong form', Buffer.from('7b2261223ac0af7d', 'hex')],
    ['a lone surrogate in bytes', Buffer.concat([Buffer.from('{"a":"'), Buffer.from('eda080', 'hex')])],
  ])('gets 400 for invalid UTF-8: %s', async (_name, body) => {
    const answer = await send(body);
    expectError(answer, 400, 'BadRequest');
    expect(answer.body.message).toBe('body must be UTF-8');
  });

  test.each([
    ['null', 'null'],
    ['a list', '[{"amount":1}]'],
    ['a string', '"amount"'],
    ['a number', '1'],
    ['true', 'true'],
  ])('gets 400 for %s, which is not an object', async (_name, body) => {
    const answer = await send(body);
    expectError(answer, 400, 'BadRequest');
    expect(answer.body.message).toBe('body must be a JSON object');
  });

  test('gets 400 if missing', async () => {
    const answer = await client.post('/v1/payments');
    expectError(answer, 400, 'BadRequest');
    const unannounced = await rawRequest(app.baseUrl, 'POST /v1/payments', [withKey()]);
    expectError(unannounced, 400, 'BadRequest');
  });

  test.each([
    ['is no gzip', Buffer.from('{"amount":1}')],
    ['is cut', gzipSync('{"amount":1}').subarray(0, 20)],
  ])('gets 400 for gzip that %s', async (_name, body) => {
    expectError(await send(body, [['Content-Encoding', 'gzip']]), 400, 'BadRequest');
  });

  test('is never quoted', async () => {
    const { body } = await send('{"payer":{"document":"123.456.789-09"}, oops}');
    expect(JSON.stringify(body)).not.toContain('123');
  });

  test('may start with a byte order mark, and may be gzipped', async () => {
    expect((await send('\ufeff{"amount":1}')).status).toBe(201);
    expect((await send(gzipSync('{"amount":1}'), [['Content-Encoding', 'gzip']])).status).toBe(201);
  });
});

describe('a number out of range', () => {
  test.each([
    ['{"amount": 1e309}', 'amount must be at most 9999999999.99'],
    ['{"amount": -1e309}', 'amount must be at least 0.01'],
    ['{"amount": 1, "expirationMinutes": 1e309}', 'expirationMinutes must be at most 43200'],
    ['{"amount": 1, "metadata": {"a": 1e309}}', 'metadata must contain finite numbers only'],
  ])('gets 400: %s', async (body, message) => {
    const answer = await client.post('/v1/payments', body);
    expectError(answer, 400, 'BadRequest');
    expect(answer.body.message).toBe(message);
  });
});

describe('an id', () => {
  test.each([
    ['of 10 kB', 'a'.repeat(10_000), 'a'.repeat(10_000)],
    ['with markup', '%3Cscript%3E', '<script>'],
    ['with NUL', 'a%00b', 'a\0b'],
    ['that is an SQL injection', "'%20OR%20''='", "' OR ''='"],
    ['in the words of a route', 'cancel', 'cancel'],
    ['of an object', '__proto__', '__proto__'],
    ['with a slash in it', 'a%2Fb', 'a/b'],
    ['with braces', `%7B${uuid}%7D`, `{${uuid}}`],
  ])('%s gets 404 and is named', async (_name, path, id) => {
    const answer = await client.get(`/v1/payments/${path}`);
    expectError(answer, 404, 'NotFound');
    expect(answer.body.details).toEqual({ resource: 'Payment', id });
    expect(answer.body.message).toBe(`Payment ${id} was not found`);
  });

  test.each(['%E0%A4%A', '%', '%zz', '%ff'])('that cannot be decoded, %s, gets 400', async (id) => {
    expectError(await rawRequest(app.baseUrl, `GET /v1/payments/${id}`, [withKey()]), 400, 'BadRequest');
    expectError(
      await rawRequest(app.baseUrl, `POST /v1/payments/${id}/cancel`, [withKey()]),
      400,
      'BadRequest',
    );
  });

  test('gets 404 for cancel, refund, pay and expire too', async () => {
    for (const path of [
      `/v1/payments/${uuid}/cancel`,
      `/v1/payments/${uuid}/refunds`,
      `/v1/sandbox/payments/${uuid}/pay`,
      `/v1/sandbox/payments/${uuid}/expire`,
    ]) {
      const answer = await client.post(path);
      expectError(answer, 404, 'NotFound');
      expect(answer.body.details).toEqual({ resource: 'Payment', id: uuid });
    }
  });
});

describe('the key', () => {
  test.each([
    ['twice', () => [withKey(), withKey()]],
    ['twice, once a good one', () => [withKey(), ['X-API-Key', 'pk_test_x'] as const]],
    ['empty', () => [['X-API-Key', ''] as const]],
    ['of 10 kB', () => [['X-API-Key', 'a'.repeat(10_000)] as const]],
    ['not ASCII', () => [['X-API-Key', `${key.key}\xe9`] as const]],
    ['with a wrong checksum', () => [['X-API-Key', `${key.key.slice(0, -1)}!`] as const]],
    ['as a bearer token', () => [['Authorization', `Bearer ${key.key}`] as const]],
  ])('given %s gets 401 with the same message', async (_name, headers) => {
    const answer = await rawRequest(app.baseUrl, 'GET /v1/payments', headers());
    expectError(answer, 401, 'Unauthorized');
    expect(answer.body.message).toBe('The API key is missing or invalid');
  });

  test('in the query is ignored', async () => {
    expectError(await anonymous.get(`/v1/payments?X-API-Key=${key.key}`), 401, 'Unauthorized');
  });

  test('revoked or expired gets 401 with the same message', async () => {
    const revoked = await createKey(app.services);
    await app.services.apiKeys.revoke(operatorFor(revoked.organizationId), revoked.id);
    const expired = await createKey(app.services);
    await query(app.databaseUrl, 'UPDATE api_key SET expires_at = now() WHERE id = $1', [expired.id]);
    for (const bad of [revoked, expired]) {
      const answer = await createClient(app.baseUrl, bad.key).get('/v1/payments');
      expectError(answer, 401, 'Unauthorized');
      expect(answer.body.message).toBe('The API key is missing or invalid');
    }
  });
});

describe('Idempotency-Key', () => {
  test.each([
    ['twice', ['a', 'a']],
    ['empty', ['']],
    ['as two quotes', ['""']],
    ['of 256 characters', ['k'.repeat(256)]],
    ['of 256 characters in quotes', [`"${'k'.repeat(256)}"`]],
    ['not ASCII', ['pedido-\xe7']],
    ['with a tab', ['a\tb']],
  ])('given %s gets 400 on create, cancel and refund', async (_name, values) => {
    const headers = [withKey(), json, ...values.map((value) => ['Idempotency-Key', value] as const)];
    for (const path of ['/v1/payments', `/v1/payments/${uuid}/cancel`, `/v1/payments/${uuid}/refunds`]) {
      const answer = await rawRequest(app.baseUrl, `POST ${path}`, headers, '{"amount":1}');
      expectError(answer, 400, 'BadRequest');
      expect(answer.body.message).toContain('Idempotency-Key');
    }
  });

  test('of 255 characters is accepted, and means the same bare and quoted', async () => {
    const value = 'k'.repeat(255);
    const bare = await client.post('/v1/payments', { amount: 1 }, { 'Idempotency-Key': value });
    const quoted = await client.post('/v1/payments', { amount: 1 }, { 'Idempotency-Key': `"${value}"` });
    expect([bare.status, quoted.status]).toEqual([201, 201]);
    expect(quoted.body).toEqual(bare.body);
    expect(bare.headers.has('idempotency-replayed')).toBe(false);
    expect(quoted.headers.get('idempotency-replayed')).toBe('true');
    expect(quoted.headers.get('location')).toBe(bare.headers.get('location'));
  });
});

describe('the order of checks', () => {
  let narrow: TestApp;

  beforeAll(async () => {
    narrow = await startTestApp({ ROLE: 'api', RATE_LIMIT_PER_MINUTE: '3' });
  });

  afterAll(() => narrow.stop());

  const spend = async (spender: TestKey): Promise<void> => {
    const own = createClient(narrow.baseUrl, spender.key);
    for (let request = 0; request < 3; request++) await own.get('/v1/payments');
  };

  test('401 comes first', async () => {
    for (const body of ['{broken', bodyOf(70_000), 'x']) {
      const answer = await anonymous.post('/v1/payments', body, { 'Content-Type': 'text/plain' });
      expectError(answer, 401, 'Unauthorized');
    }
    expectError(await anonymous.post('/v1/payments/%20/cancel'), 401, 'Unauthorized');
  });

  test('429 comes before 403 and 415, and 404', async () => {
    const reader = await createKey(narrow.services, { permissions: [] });
    await spend(reader);
    const spent = createClient(narrow.baseUrl, reader.key);
    for (const answer of [
      await spent.post('/v1/payments', 'x', { 'Content-Type': 'text/plain' }),
      await spent.post('/v1/payments', '{broken'),
      await spent.get(`/v1/payments/${uuid}`),
      await spent.post(`/v1/payments/${uuid}/cancel`),
    ]) {
      expectError(answer, 429, 'TooManyRequests');
    }
  });

  test('403 comes before 415, 413, 400 and 404', async () => {
    const reader = await createKey(app.services, { permissions: [] });
    const own = createClient(app.baseUrl, reader.key);
    for (const answer of [
      await own.post('/v1/payments', 'x', { 'Content-Type': 'text/plain' }),
      await own.post('/v1/payments', bodyOf(70_000)),
      await own.post('/v1/payments', '{broken'),
      await own.post('/v1/payments', { amount: 1 }, { 'Idempotency-Key': 'k'.repeat(256) }),
      await own.post(`/v1/payments/${uuid}/cancel`),
      await own.post(`/v1/payments/${uuid}/refunds`, '{broken'),
      await own.post(`/v1/payments/${uuid}/refunds`, 'x', { 'Content-Type': 'text/plain' }),
    ]) {
      expectError(answer, 403, 'Forbidden');
    }
  });

  test('415 comes before 413, and 413 before 400', async () => {
    const large = bodyOf(70_000);
    const text = await client.post('/v1/payments', large, { 'Content-Type': 'text/plain' });
    expectError(text, 415, 'UnsupportedMediaType');
    expectError(await client.post('/v1/payments', large.slice(1)), 413, 'PayloadTooLarge');
  });

  test('429 has a Retry-After', async () => {
    const own = await createKey(narrow.services);
    await spend(own);
    const answer = await createClient(narrow.baseUrl, own.key).get('/v1/payments');
    expectError(answer, 429, 'TooManyRequests');
    const seconds = Number(answer.headers.get('retry-after'));
    expect(seconds).toBeGreaterThanOrEqual(1);
    expect(seconds).toBeLessThanOrEqual(60);
    expect(answer.headers.get('ratelimit')).toMatch(/^"requests"; r=0; t=\d+$/);
  });
});

describe('requests without a valid key', () => {
  test("are limited by address, with Retry-After and without a key's headers", async () => {
    const own = await startTestApp({ ROLE: 'api', RATE_LIMIT_PER_MINUTE: '2' });
    try {
      const bad = createClient(own.baseUrl, 'pk_test_nonsense');
      expectError(await bad.get('/v1/payments'), 401, 'Unauthorized');
      expectError(await bad.post('/graphql', {}).then(withoutGraphql), 401, 'Unauthorized');
      const answer = await bad.get('/v1/payments');
      expectError(answer, 429, 'TooManyRequests');
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
      expect(answer.headers.has('ratelimit')).toBe(false);
    } finally {
      await own.stop();
    }
  });
});

test('a failure in the middle of a response cuts it off, and appears only in the redacted log', async () => {
  const { default: printer } = await importNatively<{ default: Console }>('node:console');
  const { error: print } = printer;
  const printed: unknown[] = [];
  printer.error = (...line) => void printed.push(line);
  const logged: unknown[] = [];
  const logger = { error: (...line: unknown[]) => logged.push(line) } as unknown as Logger;
  const failing = createExpress(false);
  // Express itself is silent in tests.
  failing.set('env', 'production');
  failing.get('/', (_request, response, next) => {
    response.write('a part');
    next(new Error('payer 123.456.789-09'));
  });
  failing.use(handleErrors(logger, () => new Date()));
  const listener = failing.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  try {
    const { port } = listener.address() as AddressInfo;
    await expect(fetch(`http://127.0.0.1:${port}/`).then((answer) => answer.text())).rejects.toThrow();
    expect(logged).toHaveLength(1);
    expect(printed).toEqual([]);
  } finally {
    printer.error = print;
    listener.close();
  }
});

describe('a key known to be valid', () => {
  test("is not refused because of others' bad keys from its address", async () => {
    const own = await startTestApp({ ROLE: 'api', RATE_LIMIT_PER_MINUTE: '3' });
    try {
      const key = await createKey(own.services);
      const good = createClient(own.baseUrl, key.key);
      expect((await good.get('/v1/payments')).status).toBe(200);
      const bad = createClient(own.baseUrl, 'pk_test_nonsense');
      for (let request = 0; request < 4; request++) await bad.get('/v1/payments');
      expect((await bad.get('/v1/payments')).status).toBe(429);
      // From now on this node has to look the key up again.
      const operator = operatorFor(key.organizationId, 'test');
      await own.services.apiKeys.rotate(operator, key.id, 1 / 60);
      expect((await good.get('/v1/payments')).status).toBe(200);
      await own.services.apiKeys.revoke(operator, key.id);
      expect((await good.get('/v1/payments')).status).toBe(429);
    } finally {
      await own.stop();
    }
  });
});

describe('keys that this node does not know yet', () => {
  test('are looked up once each, however many of their requests arrive at once from an address', async () => {
    const own = await startTestApp({ ROLE: 'api', RATE_LIMIT_PER_MINUTE: '10' });
    try {
      const keys = await Promise.all(Array.from({ length: 5 }, () => createKey(own.services)));
      const answers = await Promise.all(
        keys.flatMap(({ key }) =>
          Array.from({ length: 8 }, () => createClient(own.baseUrl, key).get('/v1/payments')),
        ),
      );
      expect(answers.filter(({ status }) => status !== 200)).toEqual([]);
    } finally {
      await own.stop();
    }
  });

  test('count each time they turn out to be invalid', async () => {
    const own = await startTestApp({ ROLE: 'api', RATE_LIMIT_PER_MINUTE: '2' });
    try {
      const revoked = await createKey(own.services);
      await own.services.apiKeys.revoke(operatorFor(revoked.organizationId), revoked.id);
      const client = createClient(own.baseUrl, revoked.key);
      const answers = await Promise.all(Array.from({ length: 6 }, () => client.get('/v1/payments')));
      expect(answers.filter(({ status }) => status === 401)).toHaveLength(2);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(4);
    } finally {
      await own.stop();
    }
  });

  test('are forgotten when revoked by their id in upper case', async () => {
    const revoked = await createKey(app.services);
    const client = createClient(app.baseUrl, revoked.key);
    expect((await client.get('/v1/payments')).status).toBe(200);
    await app.services.apiKeys.revoke(operatorFor(revoked.organizationId), revoked.id.toUpperCase());
    expect((await client.get('/v1/payments')).status).toBe(401);
  });

  test('keep the expiry of the key they replace', async () => {
    const { organizationId } = await createKey(app.services);
    const operator = operatorFor(organizationId, 'test');
    const expiresAt = new Date(Date.now() + 3_600_000);
    const { id } = await app.services.apiKeys.create(operator, { expiresAt });
    expect(await app.services.apiKeys.rotate(operator, id, 0)).toMatchObject({ expiresAt });
  });
});

/** The same error as REST would tell it. */
function withoutGraphql({ status, headers, body }: Answer): Answer {
  const [{ message, extensions }] = body.errors;
  const { code: _, reason, ...members } = extensions;
  const ofRest = new Headers(headers);
  ofRest.set('X-Error-Code', reason);
  return { status, headers: ofRest, body: { message, ...members } };
}

describe('what explains a refusal', () => {
  test('is the row of its code, to which Link leads', async () => {
    const page = await (await fetch(`${app.baseUrl}/docs/errors`)).text();
    for (const code of Object.keys(statusOfCode)) expect(page).toContain(`<tr id="${code}">`);
    const refused = [await client.get(`/v1/payments/${uuid}`), await client.graphql('{ nothing }')];
    expect(refused.map(({ headers }) => headers.get('link'))).toEqual([
      '</docs/errors#payment_not_found>; rel="help"',
      '</docs/errors#invalid_graphql>; rel="help"',
    ]);
  });

  test.each(['/v1/payments', '/graphql?query={__typename}'])(
    'is a challenge when %s gets a 401, of a scheme for which no browser asks a password',
    async (path) => {
      const { status, headers } = await anonymous.get(path);
      expect([status, headers.get('www-authenticate')]).toEqual([401, 'ApiKey realm="X-API-Key"']);
    },
  );
});

describe('a response in JSON', () => {
  const read = (path: string, headers: Record<string, string> = {}): Promise<Answer> =>
    rawRequest(app.baseUrl, `GET ${path}`, [withKey(), ...Object.entries(headers)]);

  test('is compressed where it is long and the client accepts that', async () => {
    const { body: created } = await client.post('/v1/payments', { amount: 1 });
    const encodingOf = async (path: string, accepted: string) => {
      const headers = { 'X-API-Key': key.key, 'Accept-Encoding': accepted };
      const response = await fetch(app.baseUrl + path, { headers });
      return { body: await response.json(), encoding: response.headers.get('content-encoding') };
    };
    const path = `/v1/payments/${created.id}`;
    expect(await encodingOf(path, 'br, gzip')).toEqual({ body: created, encoding: 'gzip' });
    expect(await encodingOf(path, 'br, gzip;q=0')).toEqual({ body: created, encoding: null });
    expect((await encodingOf('/v1/payments?search=nothing', 'gzip')).encoding).toBeNull();
  });

  test('is sent again only when it has changed', async () => {
    const { body: created } = await client.post('/v1/payments', { amount: 1 });
    const path = `/v1/payments/${created.id}`;
    const tag = (await read(path)).headers.get('etag') ?? '';
    const unchanged = await read(path, { 'If-None-Match': `"other", ${tag}` });
    expect([unchanged.status, unchanged.headers.get('etag')]).toEqual([304, tag]);
    await client.post(`${path}/cancel`);
    const changed = await read(path, { 'If-None-Match': tag });
    expect([changed.status, changed.body.status]).toEqual([200, 'cancelled']);
  });
});

describe('X-Trace-Id', () => {
  const traceId = randomBytes(16).toString('hex');
  const parentId = randomBytes(8).toString('hex');

  test.each([
    ['no traceparent', undefined],
    ['an empty one', ''],
    ['one in upper case', `00-${traceId.toUpperCase().replace(/^./, 'A')}-${parentId}-01`],
    ['a trace id of zeros', `00-${'0'.repeat(32)}-${parentId}-01`],
    ['a parent id of zeros', `00-${traceId}-${'0'.repeat(16)}-01`],
    ['a short trace id', `00-${traceId.slice(1)}-${parentId}-01`],
    ['the forbidden version', `ff-${traceId}-${parentId}-01`],
    ['more than version 00 has', `00-${traceId}-${parentId}-01-more`],
    ['something attached', `00-${traceId}-${parentId}-01x`],
    ['no flags', `00-${traceId}-${parentId}`],
  ])('is new for %s', async (_name, traceparent) => {
    const answer = await anonymous.get('/healthz', traceparent === undefined ? {} : { traceparent });
    expect(answer.headers.get('x-trace-id')).toMatch(/^(?!0{32})[0-9a-f]{32}$/);
    expect(answer.headers.get('x-trace-id')?.toUpperCase()).not.toBe(traceId.toUpperCase());
  });

  test('is new for a repeated traceparent', async () => {
    const header = ['traceparent', `00-${traceId}-${parentId}-01`] as const;
    const answer = await rawRequest(app.baseUrl, 'GET /healthz', [header, header]);
    expect(answer.headers.get('x-trace-id')).not.toBe(traceId);
  });

  test.each([
    ['a valid traceparent', `00-${traceId}-${parentId}-01`],
    ['one of a later version, which may hold more', `01-${traceId}-${parentId}-01-more`],
  ])('is taken from %s', async (_name, traceparent) => {
    const answer = await anonymous.get('/healthz', { traceparent });
    expect(answer.headers.get('x-trace-id')).toBe(traceId);
  });

  test.each([
    '/v1/payments',
    '/healthz',
    '/readyz',
    '/metrics',
    '/openapi.json',
    '/docs/',
    '/docs/reference/swagger-ui.css',
    '/explorer/',
    '/graphql',
    '/nowhere',
  ])('is on every response, including %s', async (path) => {
    const { headers } = await fetch(app.baseUrl + path, { redirect: 'manual' });
    expect(headers.get('x-trace-id')).toMatch(/^[0-9a-f]{32}$/);
  });

  test('differs between requests', async () => {
    const ids = await Promise.all(
      Array.from({ length: 5 }, async () => (await anonymous.get('/healthz')).headers.get('x-trace-id')),
    );
    expect(new Set(ids).size).toBe(5);
  });
});

describe('RateLimit and RateLimit-Policy', () => {
  const remaining = ({ headers }: Answer): number =>
    Number(/r=(\d+)/.exec(headers.get('ratelimit') ?? '')?.[1]);

  test('are present once a key is known, on 201, 404, 400, 403, 415 and 413', async () => {
    const own = await createKey(app.services, { permissions: ['payments:create'] });
    const mine = createClient(app.baseUrl, own.key);
    const answers = [
      await mine.post('/v1/payments', { amount: 1 }),
      await mine.get(`/v1/payments/${uuid}`),
      await mine.post('/v1/payments', {}),
      await mine.post(`/v1/payments/${uuid}/cancel`),
      await mine.post('/v1/payments', 'x', { 'Content-Type': 'text/plain' }),
      await mine.post('/v1/payments', bodyOf(70_000)),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 404, 400, 403, 415, 413]);
    for (const { headers } of answers) {
      expect(headers.get('ratelimit')).toMatch(/^"requests"; r=\d+; t=\d+$/);
      expect(headers.get('ratelimit-policy')).toMatch(/^"requests"; q=100000; w=60(; pk=:.+:)?$/);
    }
    expect(answers.map(remaining)).toEqual([99_999, 99_998, 99_997, 99_996, 99_995, 99_994]);
  });

  test('are absent on 401 and where no key is required', async () => {
    for (const answer of [
      await anonymous.get('/v1/payments'),
      await createClient(app.baseUrl, 'pk_test_x').post('/v1/payments', {}),
      await anonymous.get('/nowhere'),
      await anonymous.get('/healthz'),
    ]) {
      expect(answer.headers.has('ratelimit')).toBe(false);
      expect(answer.headers.has('ratelimit-policy')).toBe(false);
    }
  });
});

describe('Location', () => {
  test('is the URL of the created payment', async () => {
    const created = await client.post('/v1/payments', { amount: 1 });
    expect(created.headers.get('location')).toBe(`/v1/payments/${created.body.id}`);
    const found = await client.get(created.headers.get('location') ?? '');
    expect(found.body).toMatchObject(created.body);
  });
});

describe('without its database', () => {
  let broken: TestApp;
  let ownKey: TestKey;
  let uncachedKey: TestKey;

  beforeAll(async () => {
    const databaseUrl = await freshDatabase();
    broken = await startTestApp({ ROLE: 'api', DATABASE_URL: databaseUrl, RATE_LIMIT_PER_MINUTE: '20' });
    ownKey = await createKey(broken.services);
    uncachedKey = await createKey(broken.services);
    await createClient(broken.baseUrl, ownKey.key).get('/v1/payments');
    const admin = new URL(databaseUrl);
    const name = admin.pathname.slice(1);
    admin.pathname = '/postgres';
    await query(admin.href, `DROP DATABASE "${name}" WITH (FORCE)`);
  });

  afterAll(() => broken.stop());

  const internals = /postgres|prisma|database|sql|relation|pix_fresh|ECONN|node_modules|\.ts|\bat /i;

  test.each([
    ['a create', (its: Client) => its.post('/v1/payments', { amount: 1 })],
    ['a retrieve', (its: Client) => its.get(`/v1/payments/${uuid}`)],
    ['a list', (its: Client) => its.get('/v1/payments')],
    ['a refund', (its: Client) => its.post(`/v1/payments/${uuid}/refunds`, {})],
    ['a notification', (its: Client) => its.post('/psp/bacen/token', {})],
    ['a cancel', (its: Client) => its.post(`/v1/payments/${uuid}/cancel`)],
    ['a sandbox pay', (its: Client) => its.post(`/v1/sandbox/payments/${uuid}/pay`)],
    [
      'an idempotent create',
      (its: Client) => its.post('/v1/payments', { amount: 1 }, { 'Idempotency-Key': 'a' }),
    ],
  ])('%s gets 503 with a fixed message and no internals', async (_name, act) => {
    for (const { key: used } of [ownKey, uncachedKey]) {
      const answer = await act(createClient(broken.baseUrl, used));
      expectError(answer, 503, 'ServiceUnavailable');
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
      expect(JSON.stringify(answer.body)).not.toMatch(internals);
    }
  });

  test('GraphQL reports the same', async () => {
    for (const { key: used } of [ownKey, uncachedKey]) {
      const answer = await createClient(broken.baseUrl, used).graphql(`{ payment(id: "${uuid}") { id } }`);
      const [{ message, extensions }] = answer.body.errors;
      expect(message).toMatch(/temporarily unavailable/);
      expect(extensions).toEqual({
        code: 'SERVICE_UNAVAILABLE',
        reason: 'service_unavailable',
        statusCode: 503,
        error: 'ServiceUnavailable',
        timestamp: expect.any(String),
      });
      expect(answer.headers.get('retry-after')).toMatch(/^[1-9]\d?$/);
      expect(JSON.stringify(answer.body)).not.toMatch(internals);
    }
  });

  test('a key that could not be looked up does not count against its address', async () => {
    const unknown = createClient(broken.baseUrl, uncachedKey.key);
    for (let request = 0; request < 25; request++) {
      expect((await unknown.get('/v1/payments')).status).toBe(503);
    }
    const atOnce = await Promise.all(Array.from({ length: 25 }, () => unknown.get('/v1/payments')));
    expect(atOnce.filter(({ status }) => status !== 503)).toEqual([]);
    expect((await unknown.get('/v1/payments')).status).toBe(503);
  });

  test('requests that need no database still succeed', async () => {
    const its = createClient(broken.baseUrl);
    expect((await its.get('/healthz')).status).toBe(200);
    expectError(await its.get('/nowhere'), 404, 'NotFound');
    expectError(await its.get('/v1/payments'), 401, 'Unauthorized');
  });
});
