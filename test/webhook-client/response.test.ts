import { describe, expect, test } from '@jest/globals';
import { failureText } from '../../src/webhook-client/failure.ts';
import { signatureHeaders } from '../../src/webhook-client/sign.ts';
import { createAuthority } from '../support/certificates.ts';
import { allowedSender, resolvingTo, serve, serveRaw, serveSecurely, to } from './servers.ts';

const authority = createAuthority('Authority of the test');

const answering = (status: number, body: string | Buffer = '', headers: Record<string, string> = {}) =>
  serve((_, response) => response.writeHead(status, headers).end(body));

const answerOf = ({ port }: { port: number }) => allowedSender().send(to(`http://127.0.0.1:${port}/`));

const bodyOf = async (body: Buffer) => {
  const answer = await answerOf(await answering(200, body));
  return 'body' in answer ? answer.body : answer;
};

test('a message arrives unchanged', async () => {
  const seen: unknown[] = [];
  const server = await serve((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      seen.push(request.method, request.url, request.headers, Buffer.concat(chunks).toString());
      response.end('thanks');
    });
  });
  const body = '{"description":"Pão ☕"}';
  const signed = signatureHeaders({ id: 'msg_1', timestamp: new Date(), body, secrets: ['whsec_AA=='] });
  const headers = { 'content-type': 'application/json', ...signed };
  const url = `http://127.0.0.1:${server.port}/hook?x=%20y`;
  const answer = await allowedSender().send({ url, headers, body });
  expect(answer).toEqual({ error: null, status: 200, body: 'thanks', latencyMs: expect.any(Number) });
  expect(seen).toEqual(['POST', '/hook?x=%20y', expect.objectContaining(headers), body]);
});

test.each([200, 204, 400, 410, 429, 500, 503])('%i is a response', async (status) => {
  expect(await answerOf(await answering(status))).toMatchObject({ status, body: '' });
});

test('an informational response is not the response', async () => {
  const server = await serve((_, response) => {
    response.writeEarlyHints({ link: '</style.css>; rel=preload' });
    response.writeHead(410).end();
  });
  expect(await answerOf(server)).toMatchObject({ status: 410 });
});

describe('the body', () => {
  test('is text that PostgreSQL can store', async () => {
    expect(await bodyOf(Buffer.from('a\0b\xff\xfec\0', 'latin1'))).toBe('ab\ufffd\ufffdc');
  });

  test('is never truncated within a character', async () => {
    expect(await bodyOf(Buffer.from('é'.repeat(1_100)))).toBe('é'.repeat(1_024));
    expect(await bodyOf(Buffer.from(`x${'é'.repeat(1_100)}`))).toBe(`x${'é'.repeat(1_023)}`);
  });

  test('of two kilobytes is complete', async () => {
    expect(await bodyOf(Buffer.alloc(2_048, 'z'))).toBe('z'.repeat(2_048));
  });
});

describe('the headers', () => {
  const headersOf = async (headers: Record<string, string>) => {
    const answer = await answerOf(await answering(500, '', headers));
    return 'headers' in answer ? answer.headers : undefined;
  };

  test('that help to find the reason are kept, and no cookie or token', async () => {
    const told = {
      server: 'nginx',
      'x-request-id': 'r'.repeat(300),
      'www-authenticate': 'Bearer realm="shop"',
      location: 'https://shop.example.com/login?token=secret',
      'set-cookie': 'session=1',
      authorization: 'Bearer abcdefgh',
    };
    expect(await headersOf(told)).toEqual({
      server: 'nginx',
      'x-request-id': 'r'.repeat(200),
      'www-authenticate': 'Bearer realm="shop"',
      location: 'https://shop.example.com/login',
    });
  });

  test('are absent when none is kept', async () => {
    expect(await headersOf({ 'x-other': '1' })).toBeUndefined();
  });
});

test('keys and secrets on an error page are redacted', async () => {
  const answer = await answerOf(
    await answering(500, 'WEBHOOK_SECRET=whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'),
  );
  expect(answer).toMatchObject({ body: 'WEBHOOK_SECRET=whsec_[redacted]' });
});

describe('Retry-After', () => {
  const retryAfterOf = async (text: string) => {
    const answer = await answerOf(await answering(503, '', { 'retry-after': text }));
    return 'retryAfterMs' in answer ? answer.retryAfterMs : undefined;
  };

  test.each([
    ['0', 0],
    ['120', 120_000],
    ['99999999', 99_999_999_000],
    ['Wed, 21 Oct 2015 07:28:00 GMT', 0],
    ['Sunday, 06-Nov-94 08:49:37 GMT', 0],
  ])('%s is read as a time to wait', async (text, milliseconds) => {
    expect(await retryAfterOf(text)).toBe(milliseconds);
  });

  test('as a date in the future', async () => {
    const wait = await retryAfterOf(new Date(Date.now() + 3_600_000).toUTCString());
    expect(wait).toBeGreaterThan(3_590_000);
    expect(wait).toBeLessThanOrEqual(3_600_000);
  });

  test.each(['-5', '1.5', 'soon', '2030-01-01', 'Wed, soon GMT', '9'.repeat(400)])(
    '%s is ignored',
    async (text) => {
      expect(await retryAfterOf(text)).toBeUndefined();
    },
  );
});

describe('TLS', () => {
  const secure = () => serveSecurely(authority.issue('localhost'), (_, response) => response.end('safe'));

  test('with a known authority', async () => {
    const { port } = await secure();
    const sender = allowedSender({ authorities: authority.certificate });
    expect(await sender.send(to(`https://127.0.0.1:${port}/`))).toMatchObject({ status: 200, body: 'safe' });
  });

  test('with an unknown one', async () => {
    const server = await secure();
    const answer = await allowedSender().send(to(`https://127.0.0.1:${server.port}/`));
    expect(answer).toMatchObject({ error: 'TLS: certificate is not trusted' });
  });

  test('for another host', async () => {
    const { port } = await secure();
    const sender = allowedSender({
      allowedHosts: ['shop.example'],
      authorities: authority.certificate,
      lookup: resolvingTo('127.0.0.1'),
    });
    const answer = await sender.send(to(`https://shop.example:${port}/`));
    expect(answer).toMatchObject({ error: 'TLS: certificate is for another host' });
  });

  test('with a server that does not speak TLS', async () => {
    const { port } = await answering(200);
    const answer = await allowedSender().send(to(`https://127.0.0.1:${port}/`));
    expect(answer).toMatchObject({ error: 'TLS: handshake failed' });
  });

  test('with a server that hangs up', async () => {
    const { port } = await serveRaw((socket) => socket.once('data', () => socket.resetAndDestroy()));
    const answer = await allowedSender().send(to(`https://127.0.0.1:${port}/`));
    expect(answer).toMatchObject({ error: 'the connection was closed before a response' });
  });
});

describe('no response', () => {
  test.each([
    ['reset', 'the connection was closed before a response'],
    ['hang up', 'the connection was closed before a response'],
    ['SSH-2.0-OpenSSH_9.6\r\n', 'the response is not HTTP'],
    [`HTTP/1.1 200 OK\r\nX-Long: ${'x'.repeat(100_000)}\r\n\r\n`, 'the response headers are too long'],
    [
      'HTTP/1.1 101 Switching Protocols\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n',
      'the connection was closed before a response',
    ],
  ])('is what behaviour %# is recorded as, with its reason', async (behaviour, error) => {
    const server = await serveRaw((socket) => {
      socket.once('data', () => {
        if (behaviour === 'reset') socket.resetAndDestroy();
        else socket.end(behaviour === 'hang up' ? '' : behaviour);
      });
    });
    expect(await answerOf(server)).toEqual({ error, status: null, latencyMs: expect.any(Number) });
  });

  test('when nobody listens', async () => {
    const server = await answering(200);
    await allowedSender().send(to(`http://127.0.0.1:${server.port}/`));
    expect(await answerOf({ port: 1 })).toMatchObject({ error: 'connection refused' });
  });

  test.each([
    ['ENOTFOUND', 'the name does not resolve'],
    ['EAI_AGAIN', 'the name could not be looked up'],
  ])('because of the name server: %s', async (code, error) => {
    const sender = allowedSender({
      lookup: (_, __, callback) => {
        callback(Object.assign(new Error('secret detail'), { code }), []);
      },
    });
    expect(await sender.send(to('https://shop.example/'))).toMatchObject({ error });
  });

  test('because the name has no address', async () => {
    const sender = allowedSender({ lookup: resolvingTo() });
    expect(await sender.send(to('https://shop.example/'))).toMatchObject({
      error: 'the name does not resolve',
    });
  });

  test.each([
    ['CERT_HAS_EXPIRED', 'TLS: certificate has expired'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'TLS: certificate is self-signed'],
    ['ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION', 'TLS: handshake failed'],
    ['ESOMETHING', 'the request failed (ESOMETHING)'],
    ['no code: whsec_x', 'the request failed'],
  ])('is described in words: %s', (code, text) => {
    expect(failureText(Object.assign(new Error('secret detail'), { code }))).toBe(text);
  });

  test('because the headers cannot be sent', async () => {
    const request = { ...to('http://127.0.0.1/'), headers: { 'webhook-id': 'a\r\nb: c' } };
    expect(await allowedSender().send(request)).toMatchObject({
      error: expect.stringMatching(/^the request/),
    });
  });
});
