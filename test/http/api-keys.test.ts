import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Mode } from '../../src/core/base/mode.ts';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { createKey } from '../support/factories.ts';
import { openSession } from '../support/people.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api' });
});

afterAll(() => app.stop());

const rotation = `mutation ($id: ID!, $keepHours: Float) { rotateApiKey(id: $id, keepHours: $keepHours) {
  key apiKey { id name mode permissions expiresAt } } }`;

const rotate = async (client: Client, variables: { id: string; keepHours?: number }) =>
  (await client.graphql(rotation, variables)).body;

const statusWith = async (key: string): Promise<number> =>
  (await createClient(app.baseUrl, key).get('/v1/payments')).status;

async function hoursLeft(organizationId: string, id: string): Promise<number> {
  const keys = await app.services.apiKeys.list(operatorFor(organizationId));
  const expiresAt = keys.find((key) => key.id === id)?.expiresAt;
  return Math.round(((expiresAt?.getTime() ?? NaN) - Date.now()) / 3_600_000);
}

describe('a rotated key', () => {
  test.each([
    [undefined, 24],
    [2, 2],
    [8_760, 8_760],
  ])(
    'keeps working next to the new one, which has the same permissions: %j hours',
    async (keepHours, left) => {
      const { client, organizationId } = await openSession(app);
      const permissions = ['payments:cancel'];
      const old = await createKey(app.services, { organizationId, permissions });
      const { data } = await rotate(client, { id: old.id, ...(keepHours && { keepHours }) });
      const { key, apiKey } = data.rotateApiKey;
      expect(apiKey).toMatchObject({ name: 'test key', mode: 'test', permissions, expiresAt: null });
      expect(key).not.toBe(old.key);
      expect([await statusWith(old.key), await statusWith(key)]).toEqual([200, 200]);
      expect(await hoursLeft(organizationId, old.id)).toBe(left);
    },
  );

  test('ends at once with a grace period of zero', async () => {
    const { client, organizationId } = await openSession(app);
    const old = await createKey(app.services, { organizationId });
    expect(await statusWith(old.key)).toBe(200);
    const { data } = await rotate(client, { id: old.id, keepHours: 0 });
    expect([await statusWith(old.key), await statusWith(data.rotateApiKey.key)]).toEqual([401, 200]);
  });

  test('is recorded in the audit log, with the key that replaces it', async () => {
    const { client, organizationId } = await openSession(app);
    const { id } = await createKey(app.services, { organizationId });
    const { data } = await rotate(client, { id });
    const text = '{ auditLog(first: 2) { edges { node { action subject details } } } }';
    const { body } = await client.graphql(text);
    const by = data.rotateApiKey.apiKey.id;
    expect(body.data.auditLog.edges.map(({ node }: { node: object }) => node)).toEqual([
      expect.objectContaining({
        action: 'api_key.rotate',
        subject: id,
        details: expect.objectContaining({ by }),
      }),
      expect.objectContaining({ action: 'api_key.create', subject: by }),
    ]);
  });
});

describe('rotating a key is refused', () => {
  const refusal = async (client: Client, variables: { id: string; keepHours?: number }) => {
    const { errors } = await rotate(client, variables);
    return errors[0].extensions.code as string;
  };

  test.each([-1, 8_761])('with a grace period of %d hours', async (keepHours) => {
    const { client, organizationId } = await openSession(app);
    const { id, key } = await createKey(app.services, { organizationId });
    expect(await refusal(client, { id, keepHours })).toBe('BAD_USER_INPUT');
    expect(await statusWith(key)).toBe(200);
  });

  test('once it is revoked', async () => {
    const { client, organizationId } = await openSession(app);
    const { id } = await createKey(app.services, { organizationId });
    await app.services.apiKeys.revoke(operatorFor(organizationId), id);
    expect(await refusal(client, { id })).toBe('BAD_USER_INPUT');
  });

  test('once it has expired', async () => {
    const { client, organizationId } = await openSession(app);
    const { id } = await createKey(app.services, { organizationId });
    await rotate(client, { id, keepHours: 0 });
    expect(await refusal(client, { id })).toBe('BAD_USER_INPUT');
  });

  test('by a member of another organization', async () => {
    const { client } = await openSession(app);
    const { id } = await createKey(app.services);
    expect(await refusal(client, { id })).toBe('NOT_FOUND');
  });

  test.each<[Mode, 'developer' | 'support']>([
    ['live', 'developer'],
    ['test', 'support'],
  ])('of %s mode by %s', async (mode, role) => {
    const { client, organizationId } = await openSession(app, { role });
    const { id } = await createKey(app.services, { organizationId, mode });
    expect(await refusal(client, { id })).toBe('FORBIDDEN');
  });
});
