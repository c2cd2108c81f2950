import { randomBytes, randomInt, randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import WebSocket from 'ws';
import { generateApiKey } from '../../src/core/people/rules/api-key.ts';
import { anyBody, anyDocument } from './generate.ts';
import { attackPorts } from './raw-sockets.ts';
import { anyAddress, hold, send } from './send.ts';

/** What the attackers own: keys, people and accounts like anybody's. */
export interface Attackers {
  baseUrl: string;
  /** The ports of the API and of the metrics. */
  ports: readonly number[];
  organizationId: string;
  testKeys: readonly string[];
  liveKeys: readonly string[];
  ownerCookie: string;
  viewerCookie: string;
  credentialId: string;
  endpointId: string;
  /** Where the attackers' own PSP account sends its notifications. */
  notificationUrl: string;
  /** Paid at a PSP whose lists of refunds never end. */
  refundable: readonly string[];
}

/** One round of an attack; returns what it met, for the count. */
export interface Attack {
  name: string;
  /** From the end of a round to the next. */
  pauseMs: number;
  run(attackers: Attackers): Promise<readonly string[]>;
}

const json = { 'Content-Type': 'application/json' };

const oneOf = (keys: readonly string[]): string => keys[randomInt(keys.length)] ?? '';

const together = <T>(count: number, run: (index: number) => Promise<T>): Promise<T[]> =>
  Promise.all(Array.from({ length: count }, (_, index) => run(index)));

const aliased = (count: number, field: string): string =>
  Array.from({ length: count }, (_, index) => `a${index}: ${field}`).join(' ');

const asKey = (key: string) => ({ ...json, 'X-API-Key': key });

const asPerson = ({ baseUrl, organizationId }: Attackers, cookie: string, mode = 'test') => ({
  ...json,
  Cookie: cookie,
  Origin: baseUrl,
  'X-Organization-Id': organizationId,
  'X-Mode': mode,
});

const graphql = (
  { baseUrl }: Attackers,
  headers: Record<string, string>,
  query: string,
  variables: object = {},
) => send(`${baseUrl}/graphql`, { method: 'POST', headers, body: JSON.stringify({ query, variables }) });

const fatPages: Attack = {
  name: 'pages of fat metadata under 15 aliases',
  pauseMs: 500,
  run: (attackers) =>
    together(3, () =>
      graphql(
        attackers,
        asKey(oneOf(attackers.testKeys)),
        `query ($n: Int!) { ${aliased(15, 'payments(first: $n) { edges { node { metadata } } }')} }`,
        { n: 100 },
      ),
    ),
};

const fatLists: Attack = {
  name: 'fifteen lists of fat metadata at once',
  pauseMs: 500,
  run: ({ baseUrl, testKeys }) => {
    const key = oneOf(testKeys);
    return together(15, () => send(`${baseUrl}/v1/payments?limit=100`, { headers: asKey(key) }));
  },
};

const statistics: Attack = {
  name: 'statistics of 90 days under 15 aliases',
  pauseMs: 300,
  run: (attackers) => {
    const to = new Date();
    const from = new Date(to.getTime() - 90 * 86_400_000);
    const field =
      'statistics(from: $from, to: $to) { created volume medianSecondsToPay buckets { created } }';
    return together(2, () =>
      graphql(
        attackers,
        asPerson(attackers, attackers.viewerCookie),
        `query ($from: DateTime!, $to: DateTime!) { ${aliased(15, field)} }`,
        { from, to },
      ),
    );
  },
};

const heavyReading: Attack = {
  name: 'searches, exports and audit logs',
  pauseMs: 500,
  run: (attackers) => {
    const headers = asPerson(attackers, attackers.viewerCookie);
    const query = new URLSearchParams({ organization: attackers.organizationId, mode: 'test', locale: 'en' });
    const owner = asPerson(attackers, attackers.ownerCookie);
    return Promise.all([
      graphql(attackers, headers, `{ ${aliased(10, 'searchPayments(text: "10.00", first: 100) { id }')} }`),
      graphql(attackers, owner, `{ ${aliased(10, 'auditLog(first: 100) { edges { node { details } } }')} }`),
      send(`${attackers.baseUrl}/dashboard/payments.csv?${query.toString()}`, { headers }),
    ]);
  },
};

const ranges = (count: number, credentialId: string) =>
  Array.from({ length: count }, (_, index) => ({
    from: 1 + index / 100,
    to: 9_000_000 + index,
    credentialId,
  }));

const ruleSets: Attack = {
  name: 'rule sets of overlapping ranges',
  pauseMs: 1_000,
  run: (attackers) => {
    const owner = asPerson(attackers, attackers.ownerCookie);
    const create = (count: number) =>
      graphql(
        attackers,
        owner,
        'mutation ($input: CreateRuleSetInput!) { createRuleSet(input: $input) { id findings } }',
        { input: { name: randomUUID(), ranges: ranges(count, attackers.credentialId) } },
      );
    const list = () => graphql(attackers, owner, `{ ${aliased(15, 'ruleSets { name findings }')} }`);
    return Promise.all([create(800), create(100), list(), list()]);
  },
};

const endlessRefunds: Attack = {
  name: "refunds at a PSP whose lists don't end",
  pauseMs: 2_000,
  run: ({ baseUrl, liveKeys, refundable }) =>
    together(3, () =>
      send(`${baseUrl}/v1/payments/${oneOf(refundable)}/refunds`, {
        method: 'POST',
        headers: asKey(oneOf(liveKeys)),
        body: JSON.stringify({ amount: 0.01 }),
      }),
    ),
};

const unknownTokens: Attack = {
  name: 'notifications with unknown tokens',
  pauseMs: 100,
  run: ({ baseUrl }) =>
    together(20, () =>
      send(`${baseUrl}/psp/woovi/${randomBytes(32).toString('base64url')}`, {
        method: 'POST',
        headers: json,
        body: Buffer.alloc(250_000, 'x'),
        from: anyAddress(),
      }),
    ),
};

const thousandsNamed: Attack = {
  name: 'notifications that name thousands',
  pauseMs: 2_000,
  run: ({ notificationUrl }) =>
    together(2, () =>
      send(notificationUrl, {
        method: 'POST',
        headers: json,
        body: JSON.stringify({
          pix: Array.from({ length: 2_000 }, () => ({
            txid: randomUUID().replaceAll('-', ''),
            endToEndId: `E${'0'.repeat(31)}`,
            valor: '1.00',
          })),
        }),
      }),
    ),
};

const slowBodies: Attack = {
  name: 'bodies that never end',
  pauseMs: 4_000,
  run: async ({ baseUrl, testKeys }) => {
    const url = new URL(baseUrl);
    const head = `POST /v1/payments HTTP/1.1\r\nHost: x\r\nX-API-Key: ${oneOf(testKeys)}\r\nContent-Type: application/json\r\nContent-Length: 60000\r\n\r\n{`;
    const sockets = await together(100, () => hold(url, head, anyAddress()));
    for (let seconds = 0; seconds < 10; seconds++) {
      await delay(1_000);
      for (const socket of sockets) socket?.write(' ');
    }
    for (const socket of sockets) socket?.destroy();
    return sockets.map((socket) => (socket ? 'held' : 'refused'));
  },
};

const idleConnections: Attack = {
  name: 'connections on which nothing comes',
  pauseMs: 2_000,
  run: async ({ baseUrl }) => {
    const url = new URL(baseUrl);
    const from = anyAddress();
    const sockets = await together(500, () => hold(url, '', from));
    await delay(8_000);
    const alive = sockets.map((socket) => (socket && !socket.closed ? 'held' : 'refused'));
    for (const socket of sockets) socket?.destroy();
    return alive;
  },
};

const webSockets: Attack = {
  name: 'WebSockets with subscriptions',
  pauseMs: 2_000,
  run: async ({ baseUrl, testKeys }) => {
    const key = oneOf(testKeys);
    const open = async () => {
      const socket = new WebSocket(`${baseUrl.replace('http', 'ws')}/graphql`, 'graphql-transport-ws', {
        localAddress: anyAddress(),
      });
      let outcome = 'refused';
      socket.on('error', () => undefined);
      socket.on('open', () => {
        outcome = 'open';
        socket.send(JSON.stringify({ type: 'connection_init', payload: { 'X-API-Key': key } }));
      });
      socket.on('message', () => {
        for (let id = 0; id < 20; id++) {
          const payload = { query: 'subscription { paymentsUpdated { id metadata } }' };
          socket.send(JSON.stringify({ id: randomUUID(), type: 'subscribe', payload }));
        }
        socket.removeAllListeners('message');
      });
      socket.on('close', (code) => (outcome = `closed ${code}`));
      await delay(6_000);
      socket.terminate();
      return outcome;
    };
    return together(100, open);
  },
};

const eventStreams: Attack = {
  name: 'server-sent events that nobody reads',
  pauseMs: 2_000,
  run: async ({ baseUrl, testKeys }) => {
    const url = new URL(baseUrl);
    const body = JSON.stringify({ query: 'subscription { paymentsUpdated { id metadata } }' });
    const head = (key: string) =>
      `POST /graphql HTTP/1.1\r\nHost: x\r\nX-API-Key: ${key}\r\nAccept: text/event-stream\r\nContent-Type: application/json\r\nContent-Length: ${body.length}\r\n\r\n${body}`;
    const from = anyAddress();
    const sockets = await together(60, async () => hold(url, head(oneOf(testKeys)), from));
    for (const socket of sockets) socket?.pause();
    await delay(6_000);
    for (const socket of sockets) socket?.destroy();
    return sockets.map((socket) => (socket ? 'held' : 'refused'));
  },
};

const passwords: Attack = {
  name: 'passwords tried',
  pauseMs: 200,
  run: ({ baseUrl }) =>
    together(20, () =>
      send(`${baseUrl}/auth/sign-in/email`, {
        method: 'POST',
        headers: { ...json, Origin: baseUrl },
        body: JSON.stringify({ email: `${randomUUID()}@example.com`, password: randomUUID() }),
        from: anyAddress(),
      }),
    ),
};

const unknownKeys: Attack = {
  name: 'keys tried',
  pauseMs: 50,
  run: ({ baseUrl }) =>
    together(20, () =>
      send(`${baseUrl}/v1/payments`, {
        headers: asKey(generateApiKey('test')),
        from: anyAddress(),
      }),
    ),
};

const resending: Attack = {
  name: 'everything sent again',
  pauseMs: 3_000,
  run: (attackers) =>
    together(3, () =>
      graphql(
        attackers,
        asPerson(attackers, attackers.ownerCookie),
        'mutation ($id: ID!, $since: DateTime!) { resendWebhookDeliveriesSince(endpointId: $id, since: $since) }',
        { id: attackers.endpointId, since: new Date(0) },
      ),
    ),
};

const generatedDocuments: Attack = {
  name: 'generated documents',
  pauseMs: 100,
  run: ({ baseUrl, testKeys }) =>
    together(5, () =>
      send(`${baseUrl}/graphql`, { method: 'POST', headers: asKey(oneOf(testKeys)), body: anyDocument() }),
    ),
};

const generatedBodies: Attack = {
  name: 'generated bodies',
  pauseMs: 100,
  run: ({ baseUrl, testKeys }) =>
    together(5, () =>
      send(`${baseUrl}/v1/payments`, { method: 'POST', headers: asKey(oneOf(testKeys)), body: anyBody() }),
    ),
};

const generatedWires: Attack = {
  name: 'generated heads, upgrades, pipelines and chunkings, on both ports',
  pauseMs: 200,
  run: async ({ ports }) => {
    const campaign = { ports, messages: 20, atOnce: 10, seed: randomInt(2 ** 31) };
    return (await attackPorts(campaign)).outcomes;
  },
};

export const attacks: readonly Attack[] = [
  fatPages,
  fatLists,
  statistics,
  heavyReading,
  ruleSets,
  endlessRefunds,
  unknownTokens,
  thousandsNamed,
  slowBodies,
  idleConnections,
  webSockets,
  eventStreams,
  passwords,
  unknownKeys,
  resending,
  generatedDocuments,
  generatedBodies,
  generatedWires,
];
