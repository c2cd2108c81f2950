import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { PNG } from 'pngjs';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import type { Client } from '../support/client.ts';
import { newAddress, openSession } from '../support/people.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', TRUST_PROXY: '1' });
});

afterAll(() => app.stop());

const fields = 'name logoPath brandColor brandTextColor timeZone';

const update = (client: Client, input: object) =>
  client.graphql(
    `mutation ($input: UpdateOrganizationProfileInput!) { updateOrganizationProfile(input: $input) { ${fields} } }`,
    { input },
  );

const setLogo = (client: Client, image: Buffer | string) =>
  client.graphql(`mutation ($image: String!) { setOrganizationLogo(image: $image) { ${fields} } }`, {
    image: typeof image === 'string' ? image : image.toString('base64'),
  });

const png = (width = 40, height = 40, shade = 0) => {
  const image = new PNG({ width, height });
  image.data.fill(shade);
  return PNG.sync.write(image);
};

/** Code, field and rule of the refusal. */
const refusalOf = ({ body }: { body: { errors?: { extensions: Record<string, unknown> }[] } }) => {
  const { code, problems } = body.errors?.[0]?.extensions ?? {};
  return { code, problems };
};

describe('the profile of an organization', () => {
  test('has the time zone of Brasília and no brand to begin with', async () => {
    const { client, organizationId } = await openSession(app, { role: 'viewer' });
    const { body } = await client.graphql(`{
      organizationProfile { ${fields} }
      me { memberships { organizationId timeZone } }
    }`);
    const branding = { logoPath: null, brandColor: null, brandTextColor: null };
    expect(body.data.organizationProfile).toMatchObject({ ...branding, timeZone: 'America/Sao_Paulo' });
    expect(body.data.me.memberships).toEqual([{ organizationId, timeZone: 'America/Sao_Paulo' }]);
  });

  test.each(['developer', 'support', 'viewer'] as const)('cannot be changed by a %s', async (role) => {
    const { client } = await openSession(app, { role });
    expect(refusalOf(await update(client, { brandColor: '#0f766e' })).code).toBe('FORBIDDEN');
    expect(refusalOf(await setLogo(client, png())).code).toBe('FORBIDDEN');
    expect(refusalOf(await client.graphql('mutation { removeOrganizationLogo { name } }')).code).toBe(
      'FORBIDDEN',
    );
  });

  test.each([
    [{ brandColor: 'teal' }, { path: 'brandColor', rule: 'hex_color' }],
    [
      { brandColor: '#FFD400' },
      { path: 'brandColor', rule: 'contrast', params: { minimum: 3, suggestion: '#b09200' } },
    ],
    [{ timeZone: 'Mars/Olympus' }, { path: 'timeZone', rule: 'time_zone' }],
    [{ timeZone: '+03:00' }, { path: 'timeZone', rule: 'time_zone' }],
    [{ timeZone: 'Asia/Kolkata' }, { path: 'timeZone', rule: 'time_zone' }],
  ])('refuses %p at its field', async (input, problem) => {
    const { client } = await openSession(app, { role: 'owner' });
    expect(refusalOf(await update(client, input))).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: [problem],
    });
  });

  test.each([
    ['an SVG', Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'.padEnd(60)), 'image'],
    ['what is not base64', 'not base64!', 'image'],
    ['more pixels than can be shown', png(1_025, 20), 'image_sides'],
    ['a single pixel', png(1, 1), 'image_sides'],
    ['more than 48,000 bytes', Buffer.alloc(48_001), 'max_bytes'],
  ])('refuses %s as its logo', async (_name, image, rule) => {
    const { client } = await openSession(app, { role: 'owner' });
    expect(refusalOf(await setLogo(client, image))).toMatchObject({
      code: 'BAD_USER_INPUT',
      problems: [{ path: 'image', rule }],
    });
  });

  test('keeps what it was given, by the names that IANA uses, and audits it', async () => {
    const { client, organizationId } = await openSession(app, { role: 'owner' });
    await update(client, { brandColor: '#0F766E', timeZone: 'america/manaus' });
    const { body } = await update(client, {});
    expect(body.data.updateOrganizationProfile).toMatchObject({
      brandColor: '#0f766e',
      brandTextColor: '#ffffff',
      timeZone: 'America/Manaus',
    });
    const { body: log } = await client.graphql(
      '{ auditLog(kind: changes) { edges { node { action subject details } } } }',
    );
    expect(log.data.auditLog.edges.map(({ node }: { node: object }) => node)).toContainEqual({
      action: 'organization.update_profile',
      subject: organizationId,
      details: {
        mode: 'test',
        from: { brandColor: null, timeZone: null },
        to: { brandColor: '#0f766e', timeZone: 'America/Manaus' },
      },
    });
    const { body: restored } = await update(client, { brandColor: null, timeZone: null });
    expect(restored.data.updateOrganizationProfile).toMatchObject({
      brandColor: null,
      timeZone: 'America/Sao_Paulo',
    });
  });
});

describe('a logo', () => {
  const logoPathOf = async (client: Client, image: Buffer): Promise<string> =>
    (await setLogo(client, image)).body.data.setOrganizationLogo.logoPath as string;

  test('is served to anybody, for ever, as an image and nothing else', async () => {
    const { client, organizationId } = await openSession(app, { role: 'owner' });
    const image = png();
    const path = await logoPathOf(client, image);
    const response = await fetch(`${app.baseUrl}${path}`);
    expect(response.status).toBe(200);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'image/png',
      'cache-control': 'public, max-age=31536000, immutable',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; sandbox",
    });
    expect(Buffer.from(await response.arrayBuffer())).toEqual(image);
    const operator = operatorFor(organizationId);
    expect(await app.services.organizationProfile.get(operator)).toMatchObject({ logoPath: path });
  });

  test('has another address once it is replaced, and none once removed', async () => {
    const { client } = await openSession(app, { role: 'owner' });
    const first = await logoPathOf(client, png());
    const second = await logoPathOf(client, png(40, 40, 9));
    expect(second).not.toBe(first);
    expect((await fetch(`${app.baseUrl}${first}`)).status).toBe(404);
    expect((await fetch(`${app.baseUrl}${second}`, { method: 'HEAD' })).status).toBe(200);
    const { body } = await client.graphql('mutation { removeOrganizationLogo { logoPath } }');
    expect(body.data.removeOrganizationLogo.logoPath).toBeNull();
    expect((await fetch(`${app.baseUrl}${second}`)).status).toBe(404);
  });

  test.each(['nothing', randomUUID()])('is not found as %s', async (id) => {
    const response = await fetch(`${app.baseUrl}/logos/${id}`);
    expect(response.status).toBe(404);
    expect(response.headers.get('content-type')).toContain('application/json');
  });

  test('is sent to an address 600 times a minute, found or not', async () => {
    const headers = { 'X-Forwarded-For': newAddress() };
    const ask = async () => {
      const response = await fetch(`${app.baseUrl}/logos/${randomUUID()}`, { headers });
      await response.arrayBuffer();
      return response;
    };
    const statuses = new Set<number>();
    for (let round = 0; round < 30; round++)
      for (const { status } of await Promise.all(Array.from({ length: 20 }, ask))) statuses.add(status);
    expect([...statuses]).toEqual([404]);
    const beyond = await ask();
    expect([beyond.status, beyond.headers.get('x-error-code')]).toEqual([429, 'rate_limit_exceeded']);
    expect(Number(beyond.headers.get('retry-after'))).toBeGreaterThan(0);
    expect((await fetch(`${app.baseUrl}/logos/nothing`)).status).toBe(404);
  });
});
