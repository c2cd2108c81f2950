import { describe, expect } from '@jest/globals';
import type { Page, WebSocketRoute } from 'playwright-core';
import { longTest } from '../support/chance.ts';
import {
  dashboardTests,
  expectAccessible,
  expectCount,
  holdBack,
  type Opened,
  watchAsked,
} from '../support/dashboard.ts';
import { eventually } from '../support/eventually.ts';

const dashboard = dashboardTests();

const create = async ({ client }: Opened, externalId: string): Promise<string> =>
  (await client.post('/v1/payments', { amount: 5, externalId })).body.id;

const row = ({ page }: Opened, externalId: string) => page.getByRole('row', { name: externalId });

/** The frames that a page receives over its WebSockets from now on. */
function watchFrames(page: Page): string[] {
  const frames: string[] = [];
  page.on('websocket', (socket) => {
    socket.on('framereceived', ({ payload }) => frames.push(String(payload)));
  });
  return frames;
}

const isReceived = (frames: string[], id: string) =>
  eventually(() => {
    expect(frames.some((text) => text.includes(id))).toBe(true);
  });

/** The list of payments, live: `frames` were received over its socket. */
async function openList(): Promise<Opened & { frames: string[] }> {
  const opened = await dashboard.open();
  const frames = watchFrames(opened.page);
  await opened.page.clock.install();
  await opened.go('/payments');
  await create(opened, 'the first');
  await row(opened, 'the first').waitFor();
  return { ...opened, frames };
}

async function setVisibility(page: Page, state: 'hidden' | 'visible'): Promise<void> {
  await page.evaluate(`
    Object.defineProperty(document, 'visibilityState', { configurable: true, value: '${state}' });
    document.dispatchEvent(new Event('visibilitychange', { bubbles: true }));
  `);
}

/** Ends the first subscription that it is asked for. */
type End = (socket: WebSocketRoute, id: string) => void;

const say = (socket: WebSocketRoute, message: object): void => {
  socket.send(JSON.stringify(message));
};

const ends: [name: string, end: End][] = [
  [
    'is refused for too many requests',
    (socket, id) => {
      say(socket, { id, type: 'error', payload: [{ message: 'no', extensions: { statusCode: 429 } }] });
    },
  ],
  [
    'fails because the database is away',
    (socket, id) => {
      const errors = [{ message: 'no', extensions: { statusCode: 500 } }];
      say(socket, { id, type: 'next', payload: { errors } });
      say(socket, { id, type: 'complete' });
    },
  ],
  ['fails with its connection', (socket) => void socket.close({ code: 4500 })],
];

describe('a page that watches', () => {
  longTest.each(ends)(
    'is live again after its subscription %s, and has read what it missed',
    async (_, end) => {
      const opened = await dashboard.open();
      const { page } = opened;
      let subscriptions = 0;
      await page.routeWebSocket('**/graphql', (socket) => {
        const server = socket.connectToServer();
        socket.onMessage((message) => {
          const { id, type } = JSON.parse(String(message)) as { id: string; type: string };
          if (type === 'subscribe') subscriptions += 1;
          if (type === 'subscribe' && subscriptions === 1) end(socket, id);
          else server.send(message);
        });
      });
      const asked = watchAsked(page, 'Payments');
      await opened.go('/payments');
      await eventually(() => {
        expect(subscriptions).toBe(2);
        expect(asked).toHaveLength(2);
      });
      await create(opened, 'order-1');
      await row(opened, 'order-1').waitFor();
    },
  );

  longTest('notices that its connection is dead, and is live again over another', async () => {
    const opened = await dashboard.open();
    const { page } = opened;
    const subscribed: WebSocketRoute[] = [];
    let isCut = false;
    await page.clock.install();
    await page.routeWebSocket('**/graphql', (socket) => {
      const server = socket.connectToServer();
      const isDead = () => isCut && socket === subscribed[0];
      socket.onMessage((message) => {
        if (isDead()) return;
        if (String(message).includes('"subscribe"')) subscribed.push(socket);
        server.send(message);
      });
      server.onMessage((message) => {
        if (!isDead()) socket.send(message);
      });
    });
    await opened.go('/payments');
    await eventually(() => {
      expect(subscribed).toHaveLength(1);
    });
    isCut = true;
    await create(opened, 'order-1');
    await page.clock.fastForward(10_000);
    await page.clock.fastForward(5_000);
    await row(opened, 'order-1').waitFor();
    await create(opened, 'order-2');
    await page.getByRole('button', { name: '1 new payment' }).click();
    await row(opened, 'order-2').waitFor();
    expect(new Set(subscribed).size).toBe(2);
  });

  longTest('reads nothing while nobody looks, and all of it when somebody does', async () => {
    const opened = await openList();
    const { page, frames } = opened;
    await setVisibility(page, 'hidden');
    const asked = watchAsked(page, 'Payments');
    await isReceived(frames, await create(opened, 'order-1'));
    await isReceived(frames, await create(opened, 'order-2'));
    await page.clock.fastForward(5_000);
    expect(asked).toEqual([]);
    await setVisibility(page, 'visible');
    const newer = page.getByRole('button', { name: '2 new payments' });
    await newer.waitFor();
    expect(asked).toHaveLength(1);
    await newer.click();
    await row(opened, 'order-2').waitFor();
  });

  longTest('stops requesting while the service refuses, and then resumes by itself', async () => {
    const opened = await openList();
    const { page, frames } = opened;
    // From the first update on, the list is read anew, up to where it stands.
    await create(opened, 'order-0');
    await page.getByRole('button', { name: '1 new payment' }).waitFor();
    await page.route('**/graphql', (route) =>
      route.fulfill({
        status: 429,
        headers: { 'Retry-After': '30', 'X-Error-Code': 'rate_limit_exceeded' },
        json: { errors: [{ message: 'no', extensions: { statusCode: 429 } }] },
      }),
    );
    await isReceived(frames, await create(opened, 'order-1'));
    await page.clock.fastForward(1_000);
    await page.getByRole('alert').getByText('Too many requests').waitFor();
    const asked = watchAsked(page, 'Payments');
    await isReceived(frames, await create(opened, 'order-2'));
    await page.clock.fastForward(25_000);
    await expectCount(page.getByRole('alert'), 1);
    expect(asked).toEqual([]);
    await page.unrouteAll();
    await page.clock.fastForward(10_000);
    await page.getByRole('button', { name: '3 new payments' }).click();
    await row(opened, 'order-2').waitFor();
    await expectCount(page.getByRole('alert'), 0);
  });

  longTest('reads the less often the more pages it shows', async () => {
    const opened = await dashboard.open();
    const { page } = opened;
    await Promise.all(Array.from({ length: 26 }, () => create(opened, 'order')));
    await opened.go('/payments');
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByRole('button', { name: 'Load more' }).waitFor({ state: 'detached' });
    await create(opened, 'order-1');
    await page.getByRole('button', { name: '1 new payment' }).waitFor();
    const asked = watchAsked(page, 'Payments');
    await eventually(async () => {
      await create(opened, 'order');
      expect(asked.length).toBeGreaterThan(4);
    });
    const [first = 0, , , , fifth = 0] = asked;
    expect(fifth - first).toBeGreaterThan(1_950);
  });
});

longTest(
  'a service that is gone is told, what it said is marked as old, and read again once it is back',
  async () => {
    const { page } = await dashboard.open({ path: '/payments' });
    const notice = page.getByRole('status').filter({ hasText: 'Reconnecting' });
    await page.route('**/healthz', (route) => route.abort());
    await notice.getByText('may be out of date').waitFor();
    await page.locator('[data-stale]').waitFor();
    await expectAccessible(page);
    await page.unrouteAll();
    await notice.waitFor({ state: 'detached' });
    await expectCount(page.locator('[data-stale]'), 0);
  },
);

longTest('a service that does not answer for ten seconds is told', async () => {
  const { page } = await dashboard.open({ path: '/' });
  const letGo = await holdBack(page, 'Payments');
  await page.getByRole('link', { name: 'Payments' }).click();
  const notice = page.getByRole('status').filter({ hasText: 'Still waiting' });
  await notice.waitFor();
  letGo();
  await notice.waitFor({ state: 'detached' });
});
