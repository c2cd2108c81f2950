import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterAll, afterEach, beforeAll, describe, expect, test } from '@jest/globals';
import type { Page } from 'playwright-core';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { longTest } from '../support/chance.ts';
import { createClient } from '../support/client.ts';
import { dashboardTests, expectAccessible } from '../support/dashboard.ts';
import { query, workerDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { startIdentityProvider, type TestIdentityProvider } from '../support/identity-provider.ts';
import { addMember, createPerson, personalClient } from '../support/people.ts';

const env: Record<string, string> = {};
const organizationId = randomUUID();
let provider: TestIdentityProvider;
let publicUrl: string;

beforeAll(async () => {
  const port = await freePort();
  // The provider is at 127.0.0.1, which for browsers is another site.
  publicUrl = `http://localhost:${port}`;
  provider = await startIdentityProvider(await freePort(), `${publicUrl}/auth/callback/oidc`);
  const values = [organizationId, 'Padaria', new Date()];
  const insert = 'INSERT INTO organization (id, name, created_at) VALUES ($1, $2, $3)';
  await query(await workerDatabase(), insert, values);
  Object.assign(env, {
    PORT: String(port),
    PUBLIC_URL: publicUrl,
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'pix',
    OIDC_CLIENT_SECRET: 'a-secret',
    OIDC_ORGANIZATION_ID: organizationId,
    OIDC_ROLES: 'owner=pix-owners,developer=pix-developers,support=pix-support',
    OIDC_NAME: 'Keycloak',
  });
});

const dashboard = dashboardTests(env);

afterAll(() => provider.stop());

interface Someone {
  login: string;
  email: string;
}

async function someone(
  claims: { email?: string; isVerified?: boolean; groups?: string[] } = {},
): Promise<Someone> {
  const login = randomUUID();
  const { email = `${login}@example.com`, isVerified = true, groups = ['pix-support'] } = claims;
  await provider.know(login, { email, email_verified: isVerified, name: 'Ana Lima', groups });
  return { login, email };
}

const button = (page: Page) => page.getByRole('button', { name: 'Sign in with Keycloak' });

/** Goes to the provider's page from one of the dashboard. */
async function leave(page: Page, path = ''): Promise<void> {
  await page.goto(`${publicUrl}/dashboard${path}`);
  await button(page).click();
  await page.waitForURL(`${provider.issuer}/**`);
}

/** Signs in on the provider's page, which asks for consent once. */
async function enter(page: Page, { login }: Someone): Promise<void> {
  await page.locator('[name=login]').fill(login);
  await page.locator('[name=password]').fill('whatever');
  await page.locator('[type=submit]').click();
  await page.locator('[type=submit]').click();
}

/** Answers the address at which the browser came back. */
async function signIn(page: Page, person: Someone, path = ''): Promise<string> {
  const comesBack = page.waitForRequest((request) => request.url().startsWith(`${publicUrl}/auth/callback`));
  await leave(page, path);
  await enter(page, person);
  const address = (await comesBack).url();
  await page.waitForURL(`${publicUrl}/dashboard/**`);
  return address;
}

/** Nobody is signed in, and the page says why. */
async function expectRefusal(page: Page, text: string): Promise<void> {
  await page.getByRole('alert').getByText(text).waitFor();
  const cookies = await page.context().cookies(publicUrl);
  expect(cookies.filter(({ name }) => name.includes('session_token'))).toEqual([]);
}

const rolesOf = async (email: string) =>
  query(
    dashboard.app.databaseUrl,
    `SELECT m.organization_id AS "organizationId", m.role FROM member m JOIN "user" u ON u.id = m.user_id
     WHERE u.email = $1 ORDER BY m.created_at`,
    [email],
  );

const entriesOf = (email: string) =>
  query(
    dashboard.app.databaseUrl,
    `SELECT action, details FROM audit_entry WHERE organization_id = $1
       AND (details->>'email' = $2 OR actor = $2) ORDER BY sequence`,
    [organizationId, email],
  );

const cookieOf = async (page: Page) =>
  (await page.context().cookies(publicUrl)).map(({ name, value }) => `${name}=${value}`).join('; ');

const me = async (page: Page) => {
  const client = createClient(publicUrl);
  const headers = { Cookie: await cookieOf(page), Origin: publicUrl };
  const text = '{ me { email memberships { organizationId role needsSecondFactor } } }';
  return (await client.graphql(text, {}, headers)).body.data.me;
};

describe('refuses', () => {
  const notVerified = 'The identity provider does not confirm that this e-mail is yours.';

  test('whoever has an address that the provider has not verified, also if it is that of an account', async () => {
    const page = await dashboard.newPage();
    const owner = await createPerson(dashboard.app, { organizationId });
    await signIn(page, await someone({ email: owner.email, isVerified: false, groups: ['pix-owners'] }));
    await expectRefusal(page, notVerified);
    await expectAccessible(page);
    const accounts = 'SELECT provider_id FROM account WHERE user_id = $1';
    expect(await query(dashboard.app.databaseUrl, accounts, [owner.userId])).toEqual([
      { provider_id: 'credential' },
    ]);
  });

  test('whoever is in none of the groups', async () => {
    const page = await dashboard.newPage();
    const person = await someone({ groups: ['accounting', 'owner'] });
    await signIn(page, person);
    await expectRefusal(page, 'The identity provider gives you no role here.');
    expect(await rolesOf(person.email)).toEqual([]);
  });

  test('whoever cancels at the provider', async () => {
    const page = await dashboard.newPage();
    await leave(page);
    await page.getByText('Cancel').click();
    await expectRefusal(page, 'You cancelled the sign-in at the identity provider.');
  });

  test('an answer of the provider that was used before, or that another browser began', async () => {
    const page = await dashboard.newPage();
    const address = await signIn(page, await someone());
    await page.getByRole('heading', { level: 1 }).waitFor();
    await page.context().clearCookies({ name: /session_token/ });
    await page.goto(address);
    await expectRefusal(page, 'The time is over, or this sign-in has already been used.');

    const victim = await dashboard.newPage();
    const headers = { Origin: publicUrl };
    const begun = await createClient(publicUrl).post('/auth/identity-provider/begin', {}, headers);
    await victim.goto(begun.body.url);
    await enter(victim, await someone());
    await expectRefusal(victim, 'The time is over, or this sign-in has already been used.');
  });

  test('whoever was removed, until they are invited again', async () => {
    const page = await dashboard.newPage();
    const person = await someone();
    await signIn(page, person);
    await page.getByRole('heading', { level: 1 }).waitFor();
    const { services } = dashboard.app;
    await createPerson(dashboard.app, { organizationId });
    const members = await services.members.list(operatorFor(organizationId));
    const { userId = '' } = members.find(({ email }) => email === person.email) ?? {};
    await services.members.remove(operatorFor(organizationId), userId);
    expect((await me(page)).memberships).toEqual([]);

    await page.context().clearCookies({ name: /session_token/ });
    await page.goto(`${publicUrl}/dashboard`);
    await button(page).click();
    await expectRefusal(page, 'You are not a member of this organization.');
    expect(await rolesOf(person.email)).toEqual([]);

    await services.invitations.invite(operatorFor(organizationId), { email: person.email, role: 'viewer' });
    await button(page).click();
    await eventually(async () =>
      expect(await rolesOf(person.email)).toEqual([{ organizationId, role: 'support' }]),
    );
  });

  test('whoever has an account here in another organization alone', async () => {
    const page = await dashboard.newPage();
    const { email } = await createPerson(dashboard.app);
    await signIn(page, await someone({ email, groups: ['pix-owners'] }));
    await expectRefusal(page, 'You are not a member of this organization.');
  });
});

describe('a provider that', () => {
  let app: TestApp;

  afterEach(() => app.stop());

  const begin = async (issuer: string) => {
    app = await startTestApp({ ...env, PORT: '0', OIDC_ISSUER: issuer });
    const client = createClient(app.baseUrl);
    return client.post('/auth/identity-provider/begin', {}, { Origin: app.baseUrl });
  };

  test('does not respond leaves passwords alone, and is asked again', async () => {
    const port = await freePort();
    const { status, body } = await begin(`http://127.0.0.1:${port}`);
    expect([status, body.message]).toEqual([503, expect.stringContaining('identity provider')]);
    const { email, password } = await createPerson(app);
    const client = createClient(app.baseUrl);
    const headers = { Origin: app.baseUrl };
    expect((await client.post('/auth/sign-in/email', { email, password }, headers)).status).toBe(200);
    const late = await startIdentityProvider(port, `${publicUrl}/auth/callback/oidc`);
    const begun = await client.post('/auth/identity-provider/begin', {}, headers);
    expect(begun.body.url).toMatch(`http://127.0.0.1:${port}/auth?`);
    await late.stop();
  });

  longTest('accepts connections and says nothing keeps nobody waiting for long', async () => {
    const silent = createServer(() => undefined).listen(0, '127.0.0.1');
    await once(silent, 'listening');
    const { port } = silent.address() as AddressInfo;
    expect((await begin(`http://127.0.0.1:${port}`)).status).toBe(503);
    silent.close();
    silent.closeAllConnections();
  });

  test('calls itself another issuer is not believed', async () => {
    const issuer = provider.issuer.replace('127.0.0.1', 'localhost');
    expect((await begin(issuer)).status).toBe(503);
  });
});

test('somebody new joins in the role of their group, and follows it at every sign-in', async () => {
  const page = await dashboard.newPage();
  const person = await someone({ groups: ['accounting', 'pix-support', 'pix-developers'] });
  await signIn(page, person, `/${organizationId}/test/members`);
  await page.getByRole('heading', { name: 'People' }).waitFor();
  await page.getByRole('row').filter({ hasText: person.email }).getByText('Developer').waitFor();
  expect(await rolesOf(person.email)).toEqual([{ organizationId, role: 'developer' }]);
  const stored = await query(
    dashboard.app.databaseUrl,
    'SELECT provider_id, password, access_token, refresh_token, id_token FROM account a JOIN "user" u ON u.id = a.user_id WHERE email = $1',
    [person.email],
  );
  await expect(dashboard.app.services.passwords.reset(person.email)).rejects.toThrow('has no password');
  const nothing = { password: null, access_token: null, refresh_token: null, id_token: null };
  expect(stored).toEqual([{ provider_id: 'oidc', ...nothing }]);

  const married = `${randomUUID()}@example.com`;
  await provider.know(person.login, { email: married, email_verified: true, groups: ['pix-support'] });
  await page.context().clearCookies({ name: /session_token/ });
  await page.goto(`${publicUrl}/dashboard`);
  await button(page).click();
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect(await rolesOf(person.email)).toEqual([{ organizationId, role: 'support' }]);
  const { email } = person;
  const change = { email, from: 'developer', to: 'support', byProvider: true };
  expect(await entriesOf(email)).toEqual([
    {
      action: 'member.join',
      details: expect.objectContaining({ email, role: 'developer', byProvider: true }),
    },
    { action: 'session.sign_in', details: expect.objectContaining({ factor: 'identity_provider' }) },
    { action: 'member.set_role', details: expect.objectContaining(change) },
    { action: 'session.sign_in', details: expect.objectContaining({ factor: 'identity_provider' }) },
  ]);
});

test('the last owner stays one, whatever the provider says', async () => {
  const page = await dashboard.newPage();
  const { databaseUrl } = dashboard.app;
  const owner = await createPerson(dashboard.app, { organizationId });
  const demote = `UPDATE member SET role = 'viewer' WHERE organization_id = $1 AND user_id <> $2`;
  await query(databaseUrl, demote, [organizationId, owner.userId]);
  await signIn(page, await someone({ email: owner.email }));
  await page.getByRole('heading', { level: 1 }).waitFor();
  expect(await rolesOf(owner.email)).toEqual([{ organizationId, role: 'owner' }]);
});

test('the second factor of people without a password is the business of the provider', async () => {
  const page = await dashboard.newPage();
  const person = await someone({ groups: ['pix-owners'] });
  await signIn(page, person);
  await page.goto(`${publicUrl}/dashboard/${organizationId}/live/members`);
  const row = page.getByRole('row').filter({ hasText: person.email });
  await row.getByText('At the provider').waitFor();
  await page.goto(`${publicUrl}/dashboard/${organizationId}/live/security`);
  const line = (text: string) => page.getByRole('listitem').filter({ hasText: text });
  await line('with the identity provider only: require the second step there')
    .getByText('Ana Lima')
    .waitFor();
  expect(await line('without two-step verification').getByText('Ana Lima').count()).toBe(0);
  await expectAccessible(page);
});

test('a session of the provider is for its organization alone, where it counts as both factors', async () => {
  const page = await dashboard.newPage();
  const { services } = dashboard.app;
  const person = await createPerson(dashboard.app, { organizationId, role: 'developer' });
  const other = await createPerson(dashboard.app);
  await addMember(dashboard.app, person, other.organizationId, 'owner');
  const settings = { secondFactorRoles: ['owner', 'developer'] };
  await services.organizationSettings.update(operatorFor(organizationId), settings);
  await signIn(page, await someone({ email: person.email.toUpperCase(), groups: ['pix-developers'] }));
  await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
  expect((await me(page)).memberships).toEqual([
    { organizationId, role: 'developer', needsSecondFactor: false },
  ]);
  const cookie = await cookieOf(page);
  const at = (id: string) =>
    personalClient({ ...dashboard.app, baseUrl: publicUrl }, cookie, { organizationId: id });
  const text = '{ payments { edges { cursor } } }';
  expect((await at(organizationId).graphql(text)).body).not.toHaveProperty('errors');
  const { body } = await at(other.organizationId).graphql(text);
  expect(body.errors[0].extensions.reason).toBe('organization_not_allowed');
  await services.organizationSettings.update(operatorFor(organizationId), { secondFactorRoles: [] });
});
