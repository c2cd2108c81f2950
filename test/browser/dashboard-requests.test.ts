import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { countClicks, dashboardTests, expectAccessible } from '../support/dashboard.ts';
import { type RedisServer, startRedisServer } from '../support/redis-server.ts';

const env: Record<string, string> = {};
let redis: RedisServer;

beforeAll(async () => {
  redis = await startRedisServer();
  env['REDIS_URL'] = redis.url;
});

const dashboard = dashboardTests(env);

afterAll(() => redis.stop());

test('a developer sees why the last request failed in one click, and the next as they come', async () => {
  const { page, client, go } = await dashboard.open();
  await client.post('/v1/payments', { amount: -1, payer: { email: 'maria' } });
  const { body } = await client.post('/v1/payments', { amount: 1 });
  await client.get(`/v1/payments/${body.id}`);
  await go('/');
  const clicks = await countClicks(page);
  await page.getByRole('link', { name: 'Requests' }).click();
  const refused = page.getByRole('row', { name: / 400 invalid_request/ });
  await refused.waitFor();
  await refused.getByText('payer.email').waitFor();
  expect(await refused.getByRole('link', { name: 'invalid_request' }).getAttribute('href')).toMatch(
    /^\/docs\/errors#/,
  );
  expect(await clicks()).toBe(1);
  await expectAccessible(page);
  await client.graphql('query Mine { payments(first: 101) { edges { cursor } } }');
  await page.getByText('query { payments }').waitFor();
  await page.getByText('Refused', { exact: true }).click();
  await page.getByText('201').waitFor({ state: 'detached' });
  await page.getByText('query { payments }').waitFor();
  await page.getByText('All', { exact: true }).click();
  await page
    .getByRole('link', { name: `GET /v1/payments/${body.id.slice(0, 8)}…${body.id.slice(-8)}` })
    .click();
  await page.getByRole('heading', { level: 1, name: /1\.00/ }).waitFor();
});

test('the navigation has four groups below the overview', async () => {
  const { page } = await dashboard.open({ path: '/' });
  const navigation = page.getByRole('navigation');
  expect(
    await navigation
      .getByRole('region')
      .evaluateAll((all) => all.map((each) => each.getAttribute('aria-label'))),
  ).toEqual(['Charges', 'Providers', 'Integration', 'Team']);
  await navigation
    .getByRole('region', { name: 'Integration' })
    .getByRole('link', { name: 'Webhooks' })
    .click();
  await page.getByRole('heading', { level: 1, name: 'Webhooks' }).waitFor();
});
