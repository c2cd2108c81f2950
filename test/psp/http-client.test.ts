import { once } from 'node:events';
import { createServer, type RequestListener, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import {
  type AddressInfo,
  connect,
  createServer as createTcpServer,
  type Server as TcpServer,
  type Socket,
} from 'node:net';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import { PspError } from '../../src/core/providers/rules/psp-error.ts';
import { type HttpRequest, refusal, wordOf } from '../../src/psp/http/http-client.ts';
import { createHttpClients } from '../../src/psp/http/http-clients.ts';
import { httpFailureOf } from '../../src/psp/http/http-failure.ts';
import { unreadResponse } from '../../src/psp/http/last-response.ts';
import { maximumOperationBytes, maximumOperationRequests } from '../../src/psp/http/operation-budget.ts';
import { createAuthority } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';
import { receiver } from '../support/pkcs12.ts';

const clients = createHttpClients({ allowedHosts: ['localhost', '127.0.0.1'] });
const client = clients.open();
const cleanups: (() => unknown)[] = [];

afterEach(async () => {
  while (cleanups.length > 0) await cleanups.pop()?.();
});

afterAll(() => clients.close());

async function listening<Kind extends TcpServer>(server: Kind): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  cleanups.push(() => server.close());
  server.on('connection', (socket: Socket) => cleanups.push(() => socket.destroy()));
  return (server.address() as AddressInfo).port;
}

const serve = async (listener: RequestListener) =>
  `http://127.0.0.1:${await listening(createServer(listener))}`;

const answering = (status: number, body = '', headers: Record<string, string> = {}) =>
  serve((_, response) => response.writeHead(status, headers).end(body));

const get = (url: string, more: Partial<HttpRequest> = {}): HttpRequest => ({
  method: 'GET',
  url,
  signal: AbortSignal.timeout(5_000),
  ...more,
});

async function failureOf(request: HttpRequest, using = client): Promise<PspError> {
  const outcome: unknown = await using.request(request).catch((error: unknown) => error);
  expect(outcome).toBeInstanceOf(PspError);
  return outcome as PspError;
}

test('the last response of an operation is remembered as it came, until its next request', async () => {
  const { signal } = new AbortController();
  await failureOf(get(await answering(200, '{"cut":'), { signal }));
  expect(unreadResponse(signal)).toEqual({ status: 200, body: '{"cut":' });
  await client.request(get(await answering(404, '{"detail":"elsewhere"}'), { signal }));
  expect(unreadResponse(signal)).toEqual({ status: 404, body: '{"detail":"elsewhere"}' });
  await failureOf(get(await serve((_, response) => response.destroy()), { signal }));
  expect(unreadResponse(signal)).toBeUndefined();
});

describe('nothing is sent', () => {
  test('to a host that does not exist', async () => {
    expect(await failureOf(get('http://nowhere.invalid/'))).toMatchObject({ failure: 'not_sent' });
  });

  test('to a port that is closed', async () => {
    const server = createServer();
    const port = await listening(server);
    server.close();
    await once(server, 'close');
    const failure = await failureOf(get(`http://127.0.0.1:${port}/`));
    expect(failure).toMatchObject({
      failure: 'not_sent',
      message: 'the provider refused the connection',
    });
  });

  test.each(['http', 'https'])('to an inner address over %s, not even a handshake', async (protocol) => {
    let connections = 0;
    const port = await listening(
      createTcpServer((socket) => {
        connections += 1;
        socket.destroy();
      }),
    );
    const careful = createHttpClients({
      allowedHosts: ['127.0.0.1:1', 'inner.example'],
      lookup: (_host, _options, callback) => {
        callback(null, [{ address: '127.0.0.1', family: 4 }]);
      },
    });
    for (const host of ['127.0.0.1', '[::ffff:7f00:1]', 'outer.example']) {
      expect(await failureOf(get(`${protocol}://${host}:${port}/`), careful.open())).toMatchObject({
        failure: 'not_sent',
        message: expect.stringContaining('PSP_ALLOWED_HOSTS'),
      });
    }
    expect(connections).toBe(0);
    await failureOf(get(`${protocol}://inner.example:${port}/`), careful.open());
    expect(connections).toBe(1);
    await careful.close();
  });

  test('to a server whose handshake does not end in time', async () => {
    const port = await listening(createTcpServer());
    const failure = await failureOf(get(`https://127.0.0.1:${port}/`, { timeoutMs: 150 }));
    expect(failure).toMatchObject({ failure: 'not_sent' });
  });

  test('to a server that speaks no TLS', async () => {
    const url = (await answering(200)).replace('http', 'https');
    expect(await failureOf(get(url))).toMatchObject({ failure: 'not_sent' });
  });

  test('to something that is no URL', async () => {
    expect(await failureOf(get('not a url'))).toMatchObject({ failure: 'not_sent' });
  });

  test('when the call was given up before', async () => {
    const url = await answering(200);
    const failure = await failureOf(get(url, { signal: AbortSignal.abort() }));
    expect(failure).toMatchObject({ failure: 'not_sent' });
  });

  test('once the call was given up while it connected, even if the connection is made then', async () => {
    const authority = createAuthority('Test');
    const { certificate: cert, privateKey: key } = authority.issue('server');
    let requests = 0;
    const port = await listening(createSecureServer({ cert, key }, () => (requests += 1)));
    const forwarded: Socket[] = [];
    const slow = createTcpServer((socket) => void forwarded.push(socket.on('error', () => undefined)));
    const trusting = clients.open({ ca: authority.certificate });
    const url = `https://127.0.0.1:${await listening(slow)}/`;
    expect(await failureOf(get(url, { timeoutMs: 150 }), trusting)).toMatchObject({ failure: 'not_sent' });
    const [socket] = forwarded as [Socket];
    socket.pipe(connect(port, '127.0.0.1').on('error', () => undefined)).pipe(socket);
    await once(socket, 'close');
    expect(socket.bytesRead).toBeGreaterThan(0);
    expect(requests).toBe(0);
  });

  test.each([408, 425])('that counts, when the response is %d', async (status) => {
    expect(await failureOf(get(await answering(status)))).toMatchObject({ failure: 'not_sent' });
  });
});

/** Responds to the first request, so that the connection of the second is open: a busy machine sends it in time. */
async function serveOnceOpen(listener: RequestListener): Promise<string> {
  let served = 0;
  const url = await serve((request, response) => {
    if (served++ === 0) response.end();
    else listener(request, response);
  });
  await client.request(get(url));
  return url;
}

describe('the outcome is unknown', () => {
  test('when no response comes in time', async () => {
    const failure = await failureOf(get(await serveOnceOpen(() => undefined), { timeoutMs: 400 }));
    expect(failure).toMatchObject({
      failure: 'unknown',
      message: 'the provider did not respond within 400 ms',
    });
  });

  test('when no response comes in time, and its connection is closed', async () => {
    let closed: Promise<unknown> | undefined;
    const url = await serveOnceOpen(({ socket }) => {
      closed = once(socket, 'close');
    });
    await failureOf(get(url, { timeoutMs: 400 }));
    expect(closed).toBeDefined();
    await closed;
  });

  test('when the call is given up after it was sent', async () => {
    const controller = new AbortController();
    const url = await serve(() => {
      controller.abort();
    });
    const failure = await failureOf(get(url, { signal: controller.signal }));
    expect(failure).toMatchObject({ failure: 'unknown' });
  });

  test('when the response trickles in for too long', async () => {
    const url = await serveOnceOpen((_, response) => {
      response.writeHead(200);
      const timer = setInterval(() => response.write(' '), 20);
      response.on('close', () => {
        clearInterval(timer);
      });
    });
    expect(await failureOf(get(url, { timeoutMs: 150 }))).toMatchObject({ failure: 'unknown' });
  });

  test('when the connection is cut', async () => {
    const url = await serve(({ socket }) => socket.resetAndDestroy());
    expect(await failureOf(get(url))).toMatchObject({
      failure: 'unknown',
      message: 'the provider closed the connection',
    });
  });

  test('when the response is cut short', async () => {
    const url = await serve((_, response) => {
      response.writeHead(200, { 'content-length': 20 });
      response.write('{"a":1}', () => response.destroy());
    });
    expect(await failureOf(get(url))).toMatchObject({ failure: 'unknown' });
  });

  test('when the response is no HTTP', async () => {
    const port = await listening(createTcpServer((socket) => void socket.end('220 mail ready\r\n')));
    expect(await failureOf(get(`http://127.0.0.1:${port}/`))).toMatchObject({ failure: 'unknown' });
  });

  test.each(['{"a":', '<html></html>', 'true false'])('when a 2xx says %s', async (body) => {
    expect(await failureOf(get(await answering(200, body)))).toMatchObject({ failure: 'unknown' });
  });

  test.each([500, 502, 503, 504, 599])('when the response is %d', async (status) => {
    expect(await failureOf(get(await answering(status, '{}')))).toMatchObject({ failure: 'unknown' });
  });

  test('when an earlier request still holds the lock', async () => {
    expect(await failureOf(get(await answering(423)))).toMatchObject({ failure: 'unknown' });
  });

  test.each([301, 302, 307, 308])('when the response is %d, which is not followed', async (status) => {
    let requests = 0;
    const elsewhere = await serve((_, response) => {
      requests += 1;
      response.end('{}');
    });
    const url = await answering(status, '', { location: elsewhere });
    expect(await failureOf(get(url))).toMatchObject({ failure: 'unknown' });
    expect(requests).toBe(0);
  });

  test('when the response is over half a mebibyte', async () => {
    const url = await answering(200, JSON.stringify('x'.repeat(maximumOperationBytes)));
    expect(await failureOf(get(url))).toMatchObject({
      failure: 'unknown',
      message: "the provider's response is too large",
    });
  });

  test('when a response is endless', async () => {
    const url = await serve((_, response) => {
      const pour = () => {
        while (!response.destroyed && response.write('x'.repeat(65_536)));
      };
      response.on('drain', pour);
      pour();
    });
    expect(await failureOf(get(url))).toMatchObject({ failure: 'unknown' });
  });

  test('when the responses to one operation are over half a mebibyte together', async () => {
    const url = await answering(200, JSON.stringify('x'.repeat(maximumOperationBytes / 2 - 100)));
    const operation = get(url);
    await client.request(operation);
    await client.request(operation);
    expect(await failureOf(operation)).toMatchObject({
      failure: 'unknown',
      message: "the provider's response is too large",
    });
    expect((await client.request(get(url))).status).toBe(200);
  });

  test('when one operation has asked too often, and nothing more is sent', async () => {
    let requests = 0;
    const url = await serve((_, response) => {
      requests += 1;
      response.end('{}');
    });
    const operation = get(url);
    for (let nth = 0; nth < maximumOperationRequests; nth++) await client.request(operation);
    expect(await failureOf(operation)).toMatchObject({
      failure: 'unknown',
      message: expect.stringContaining('has no end'),
    });
    expect(requests).toBe(maximumOperationRequests);
  });
});

describe('a response', () => {
  test('of just under half a mebibyte is read', async () => {
    const text = 'x'.repeat(maximumOperationBytes - 100);
    expect((await client.request(get(await answering(200, JSON.stringify(text))))).json).toBe(text);
  });

  test.each([200, 201, 202, 204])('of %d without a body has no JSON', async (status) => {
    const response = await client.request(get(await answering(status)));
    expect(response).toMatchObject({ status, json: undefined, text: '' });
  });

  test.each([400, 401, 403, 404, 409, 410, 422])('of %d is for the caller', async (status) => {
    const response = await client.request(get(await answering(status, '{"why":"because"}')));
    expect(response).toMatchObject({ status, json: { why: 'because' } });
  });

  test('of 4xx that is no JSON keeps its text', async () => {
    const response = await client.request(get(await answering(400, '<html>')));
    expect(response).toMatchObject({ status: 400, json: undefined, text: '<html>' });
  });

  test("of 404 without a body is for the caller, somebody else's page is not", async () => {
    expect(await client.request(get(await answering(404)))).toMatchObject({ status: 404, json: undefined });
    expect(await failureOf(get(await answering(404, '<html>')))).toMatchObject({ failure: 'unknown' });
  });
});

describe('a request', () => {
  const echo = () =>
    serve((request, response) => {
      void request.toArray().then((chunks) => {
        const { method, url, headers } = request;
        response.end(JSON.stringify({ method, url, headers, body: Buffer.concat(chunks).toString() }));
      });
    });

  test('with an object is JSON', async () => {
    const request = get(`${await echo()}/a?b=c`, { method: 'POST', body: { valor: '1.00', nome: 'São' } });
    expect((await client.request(request)).json).toMatchObject({
      method: 'POST',
      url: '/a?b=c',
      headers: { 'content-type': 'application/json', accept: 'application/json' },
      body: '{"valor":"1.00","nome":"São"}',
    });
  });

  test('with parameters is a form', async () => {
    const body = new URLSearchParams({ grant_type: 'client_credentials' });
    const request = get(await echo(), { method: 'POST', body, headers: { authorization: 'Basic eDp5' } });
    expect((await client.request(request)).json).toMatchObject({
      headers: { 'content-type': 'application/x-www-form-urlencoded', authorization: 'Basic eDp5' },
      body: 'grant_type=client_credentials',
    });
  });

  test('uses the connections of those before', async () => {
    let connections = 0;
    const server = createServer((_, response) => response.end('{}'));
    server.on('connection', () => (connections += 1));
    const url = `http://127.0.0.1:${await listening(server)}/`;
    for (let count = 0; count < 10; count++) await clients.open({}).request(get(url));
    // The second may begin before the first has quite given its connection back.
    expect(connections).toBeLessThanOrEqual(2);
  });

  test('leaves no listener on the signal', async () => {
    const { signal } = new AbortController();
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    Object.assign(signal, {
      addEventListener: (...given: Parameters<typeof add>) => {
        listeners += 1;
        add(...given);
      },
      removeEventListener: (...given: Parameters<typeof remove>) => {
        listeners -= 1;
        remove(...given);
      },
    });
    await client.request(get(await answering(200, '{}'), { signal }));
    expect(listeners).toBe(0);
  });
});

describe('TLS', () => {
  const authority = createAuthority('Test authority');
  const server = authority.issue('server');
  const own = authority.issue('client');
  const ca = authority.certificate;
  let mutual: Server;
  let url: string;
  let arrive: (response: ServerResponse) => void;
  const slow = new Promise<ServerResponse>((resolve) => (arrive = resolve));

  beforeAll(async () => {
    mutual = createSecureServer(
      {
        cert: server.certificate,
        key: server.privateKey,
        ca: [ca, receiver.certificate],
        requestCert: true,
        rejectUnauthorized: true,
      },
      (request, response) => {
        if (request.url === '/slow') arrive(response);
        else response.end('{"ok":true}');
      },
    );
    // Longer than a test: whoever wants a connection gone has to close it.
    mutual.keepAliveTimeout = 600_000;
    mutual.listen(0, '127.0.0.1');
    await once(mutual, 'listening');
    url = `https://127.0.0.1:${(mutual.address() as AddressInfo).port}/`;
  });

  afterAll(() => {
    mutual.closeAllConnections();
    mutual.close();
  });

  test('with the certificate that the server knows gets a response', async () => {
    const known = clients.open({ certificate: own.certificate, privateKey: own.privateKey, ca });
    expect((await known.request(get(url))).json).toEqual({ ok: true });
  });

  test('with the certificate as PKCS #12 gets one too', async () => {
    const { pkcs12, passphrase } = receiver;
    const known = clients.open({ pkcs12: Buffer.from(pkcs12, 'base64'), passphrase, ca });
    expect((await known.request(get(url))).json).toEqual({ ok: true });
  });

  test('without a certificate gets no response', async () => {
    const failure = await failureOf(get(url), clients.open({ ca }));
    expect(['not_sent', 'unknown']).toContain(failure.failure);
  });

  describe('connections', () => {
    const count = () => promisify(mutual.getConnections.bind(mutual))();
    /** Own clients, so that no other test's connections are counted. */
    const open = (idleMs?: number) => {
      const ours = createHttpClients({ allowedHosts: ['127.0.0.1'], ...(idleMs && { idleMs }) });
      cleanups.push(() => ours.close());
      return ours.open({ ...own, ca });
    };

    test('end when their client is closed, and a later request opens new ones', async () => {
      const before = await count();
      const certified = open();
      await certified.request(get(url));
      expect(await count()).toBe(before + 1);
      certified.close();
      await eventually(async () => expect(await count()).toBe(before));
      expect((await certified.request(get(url))).status).toBe(200);
      expect(await count()).toBe(before + 1);
    });

    test('that are closed first finish what is in flight', async () => {
      const before = await count();
      const certified = open();
      const answer = certified.request(get(`${url}slow`));
      const response = await slow;
      certified.close();
      response.end('{"ok":true}');
      expect(await answer).toMatchObject({ json: { ok: true } });
      await eventually(async () => expect(await count()).toBe(before));
    });

    test('that nobody uses end', async () => {
      const before = await count();
      await open(20).request(get(url));
      await eventually(async () => expect(await count()).toBe(before));
    });
  });

  test('with a server that nobody vouches for is not begun', async () => {
    const failure = await failureOf(get(url));
    expect(failure.failure).toBe('not_sent');
    expect(failure.message).toMatch(/certificate is not trusted/);
  });

  test.each([
    'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED',
    'ERR_SSL_SSLV3_ALERT_BAD_CERTIFICATE',
    'ERR_SSL_SSLV3_ALERT_CERTIFICATE_UNKNOWN',
    'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA',
    'ERR_SSL_SSLV3_ALERT_HANDSHAKE_FAILURE',
  ])('that the server breaks off with %s was never there to send through', (code) => {
    expect(httpFailureOf(Object.assign(new Error('secret'), { code })).isHandshake).toBe(true);
  });
});

describe('a message', () => {
  test('holds nothing of the request or the response', async () => {
    const request = {
      headers: { authorization: 'Bearer S3CR3T' },
      method: 'POST' as const,
      body: { a: 'S3CR3T' },
    };
    const urls = [
      await answering(500, 'S3CR3T'),
      await answering(302, '', { location: 'http://S3CR3T' }),
      await answering(200, '{"S3CR3T'),
      'http://s3cr3t.invalid',
    ];
    for (const url of urls) {
      const { message } = await failureOf(get(`${url}/S3CR3T?S3CR3T`, request));
      expect(message).not.toMatch(/s3cr3t/i);
    }
  });

  test('for a header that cannot be sent holds nothing of it', async () => {
    const failure = await failureOf(get(await answering(200), { headers: { authorization: 'S3CR3T\r\nx' } }));
    expect(failure).toMatchObject({ failure: 'not_sent' });
    expect(failure.message).not.toContain('S3CR3T');
  });

  test.each([401, 403])('of a %d speaks to the operator', (status) => {
    const { failure, message } = refusal({ status, headers: {}, json: undefined, text: 'S3CR3T' });
    expect(failure).toBe('rejected');
    expect(message).toBe(`the provider rejected the credential or its permissions (HTTP ${status})`);
  });

  test.each([400, 404, 409, 422])('of a %d carries the code that is given', (status) => {
    const { failure, message } = refusal(
      { status, headers: {}, json: undefined, text: '' },
      'valor_invalido',
    );
    expect([failure, message]).toEqual([
      'rejected',
      `the provider refused the request (HTTP ${status}, valor_invalido)`,
    ]);
  });

  test.each(['Maria da Silva', '52998224725', 'a12345b', 'x@y.z', '', 'a'.repeat(81), 7, null, undefined])(
    'takes no %j for a code',
    (value) => {
      expect(wordOf(value)).toBeUndefined();
    },
  );

  test.each(['valor_invalido', 'CobOperacaoInvalida', 'invalid_value', 'order.customer.document'])(
    'takes %s for a code',
    (value) => {
      expect(wordOf(value)).toBe(value);
    },
  );
});
