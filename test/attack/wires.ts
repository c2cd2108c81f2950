import { createRandom } from '../support/books-campaign/random.ts';

export interface Conversation {
  /** What is written, one after the other: a message may be torn anywhere. */
  packets: Buffer[];
  messages: number;
}

/** Messages as no client sends them: heads, upgrades, pipelines and chunkings, well formed and not. */
export function createWires(seed: number) {
  const { between, oneOf: pick, happens } = createRandom(seed);
  const below = (bound: number): number => between(0, bound - 1);
  const sometimes = (share: number, text: () => string): string => (happens(share) ? text() : '');
  const many = (most: number, text: () => string): string =>
    Array.from({ length: below(most + 1) }, text).join('');
  const bytes = (most: number): string => many(most, () => String.fromCharCode(below(256)));

  const end = (): string => (happens(0.95) ? '\r\n' : pick(['\n', '\r', '\r\r\n', '', '\n\r']));
  const method = (): string =>
    pick([
      'GET',
      'GET',
      'GET',
      'POST',
      'POST',
      'HEAD',
      'OPTIONS',
      'PUT',
      'CONNECT',
      'TRACE',
      'PRI',
      'SOURCE',
      'get',
      '',
    ]);
  const target = (): string =>
    pick([
      '/',
      '/healthz',
      '/readyz',
      '/metrics',
      '/graphql',
      '/graphql?query={__typename}',
      '/v1/payments',
      '/pay/x',
      '*',
      'http://x/graphql',
      '//',
      '/%',
      '/%00',
      '/..%2f..',
      'x:1',
      `/${'a'.repeat(below(20_000))}`,
      bytes(20),
    ]);
  const version = (): string =>
    pick([
      'HTTP/1.1',
      'HTTP/1.1',
      'HTTP/1.1',
      'HTTP/1.1',
      'HTTP/1.0',
      'HTTP/2.0',
      'HTTP/0.9',
      'HTTP/9.9',
      'http/1.1',
      '',
    ]);
  const protocol = (): string =>
    pick(['websocket', 'WebSocket', 'h2c', 'x', 'TLS/1.0', 'websocket, h2c', '', bytes(8)]);
  const length = (): string =>
    pick(['0', '5', '5', '4', '6', '-1', '+5', '0x5', '5, 5', '1e1', '99999999999999999999', ' 5 ', '']);
  const coding = (): string =>
    pick([
      'chunked',
      'chunked',
      'Chunked',
      'gzip, chunked',
      'chunked, gzip',
      'identity',
      'xchunked',
      ' chunked',
      'chunked;q=1',
    ]);

  const header = (): string => {
    const [name, value] = pick<[string, string]>([
      [
        'Connection',
        pick([
          'Upgrade',
          'upgrade, keep-alive',
          'close',
          'keep-alive',
          'Upgrade, HTTP2-Settings',
          ',',
          bytes(8),
        ]),
      ],
      ['Proxy-Connection', pick(['Upgrade', 'close', 'keep-alive'])],
      ['Upgrade', protocol()],
      ['Upgrade', protocol()],
      ['Sec-WebSocket-Key', pick(['AAAAAAAAAAAAAAAAAAAAAA==', 'x', ''])],
      ['Sec-WebSocket-Version', pick(['13', '8', '1e1', ''])],
      ['Sec-WebSocket-Protocol', pick(['graphql-transport-ws', ',', 'a, a', bytes(8)])],
      [
        'Sec-WebSocket-Extensions',
        pick(['permessage-deflate', 'permessage-deflate; client_max_window_bits=99', ';;']),
      ],
      ['Host', pick(['x', 'x', '', 'a, b', bytes(8)])],
      ['Expect', pick(['100-continue', 'a-miracle'])],
      ['Content-Length', length()],
      ['Transfer-Encoding', coding()],
      ['Content-Type', pick(['application/json', 'application/json; charset=utf-16', 'text/plain', ''])],
      ['Content-Encoding', pick(['gzip', 'br', 'deflate', 'x'])],
      ['Trailer', 'X-End'],
      ['X-API-Key', pick(['x', `pk_test_${'a'.repeat(43)}`, ''])],
      ['Cookie', pick(['a=b', ';;;', '__proto__=1'])],
      ['X-Forwarded-For', pick(['1.2.3.4', ',,,', 'x'.repeat(2_000)])],
      [bytes(8), bytes(30)],
      ['__proto__', 'x'],
    ]);
    return `${name}${happens(0.97) ? ':' : pick([' :', '', '::', '\0:'])} ${value}${end()}`;
  };

  const chunks = (): string => {
    const size = pick([
      '5',
      '5',
      '5;a=b',
      '5;a="\r\n"',
      '05',
      '0x5',
      '-5',
      'FFFFFFFF',
      'FFFFFFFFFFFFFFFFF',
      '4',
      '6',
      '',
      ' 5',
    ]);
    const chunk = () => `${size}${end()}hello${end()}`;
    const trailers = sometimes(0.3, () => many(4, header));
    return `${many(4, chunk)}${pick(['0', '0', '0', '00', '', '0;x'])}${end()}${trailers}${end()}`;
  };
  const body = (): string =>
    pick([
      () => '',
      () => 'hello',
      () => '{"a":1}',
      chunks,
      chunks,
      () => bytes(200),
      () => 'x'.repeat(below(40_000)),
    ])();

  /** A handshake that is taken, for what comes after it. */
  const handshake = (): string =>
    'GET /graphql HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
    `Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Protocol: graphql-transport-ws\r\n${sometimes(0.2, header)}\r\n${bytes(60)}`;
  /** An offer that is ignored, with a body. */
  const offer = (): string =>
    `${pick(['GET', 'POST'])} ${target()} HTTP/1.1\r\nHost: x\r\n${pick(['Connection', 'Proxy-Connection'])}: Upgrade\r\n` +
    `Upgrade: ${protocol()}\r\n${sometimes(0.5, () => `Content-Length: ${length()}\r\n`)}${many(2, header)}\r\n${body()}`;
  const chunked = (): string =>
    `POST ${target()} HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding()}\r\n${many(2, header)}\r\n${chunks()}`;
  const head = (): string =>
    `${method()} ${target()} ${version()}${end()}${sometimes(0.8, () => `Host: x${end()}`)}${many(8, header)}${end()}${body()}`;
  const long = (): string => `GET / HTTP/1.1\r\nHost: x\r\n${'A: b\r\n'.repeat(below(4_000))}\r\n`;
  const plain = (): string => `GET ${target()} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const message = (): string => {
    const text = pick([
      head,
      head,
      head,
      offer,
      offer,
      chunked,
      chunked,
      handshake,
      plain,
      plain,
      long,
      () => bytes(2_000),
    ])();
    if (happens(0.85)) return text;
    // Somewhere a byte is another, or the rest is missing.
    const at = below(text.length);
    return text.slice(0, at) + sometimes(0.7, () => bytes(1) + text.slice(at + 1));
  };

  /** On one connection. */
  function conversation(): Conversation {
    const messages = happens(0.6) ? 1 : 1 + below(6);
    const whole = Buffer.from(Array.from({ length: messages }, message).join(''), 'latin1');
    if (happens(0.5)) return { packets: [whole], messages };
    const cuts = Array.from({ length: 1 + below(3) }, () => below(whole.length + 1)).sort((a, b) => a - b);
    return {
      packets: [0, ...cuts].map((from, index) => whole.subarray(from, cuts[index] ?? whole.length)),
      messages,
    };
  }

  return { conversation };
}
