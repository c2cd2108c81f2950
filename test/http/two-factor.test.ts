import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { cookiesOf, openSession, personalClient, postSignIn, type TestPerson } from '../support/people.ts';
import { allPayments, overWebSocket } from '../support/subscribe.ts';
import { totpCode } from '../support/totp.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api' });
});

afterAll(() => app.stop());

/** A person with an authenticator app. */
async function withAuthenticator() {
  const person = await openSession(app);
  const { password, cookie } = person;
  const enabled = await postSignIn(app, '/two-factor/enable', { password }, { Cookie: cookie });
  const { totpURI, backupCodes } = enabled.body as { totpURI: string; backupCodes: string[] };
  const verified = await postSignIn(
    app,
    '/two-factor/verify-totp',
    { code: totpCode(totpURI) },
    { Cookie: cookie },
  );
  expect({ enabled: enabled.status, verified: verified.status }).toEqual({ enabled: 200, verified: 200 });
  return { ...person, cookie: cookiesOf(verified.headers), totpURI, backupCodes };
}

/** The one after that which switched the authenticator on, and the last that is taken already. */
const nextCode = (uri: string): string => totpCode(uri, Date.now() + 30_000);

const giveCode = (cookie: string, code: string, to = app) =>
  postSignIn(to, '/two-factor/verify-totp', { code }, { Cookie: cookie });

/** Answers the cookie of the question for the code. */
async function passPassword({ email, password }: TestPerson): Promise<string> {
  const answer = await postSignIn(app, '/sign-in/email', { email, password });
  expect(answer.body).toMatchObject({ twoFactorRedirect: true, twoFactorMethods: ['totp'] });
  return cookiesOf(answer.headers);
}

const ask = (cookie: string) =>
  createClient(app.baseUrl).graphql(
    '{ me { twoFactorEnabled } }',
    {},
    { Cookie: cookie, Origin: app.baseUrl },
  );

test('the password alone opens nothing', async () => {
  const person = await withAuthenticator();
  expect((await ask(await passPassword(person))).status).toBe(401);
});

test('the password and the code open a session', async () => {
  const person = await withAuthenticator();
  const cookie = await passPassword(person);
  const answer = await giveCode(cookie, nextCode(person.totpURI));
  expect(answer.status).toBe(200);
  const { body } = await ask(cookiesOf(answer.headers));
  expect(body.data.me).toEqual({ twoFactorEnabled: true });
});

test('wrong codes open nothing, and after a few of them the password is required again', async () => {
  const person = await withAuthenticator();
  const cookie = await passPassword(person);
  const right = nextCode(person.totpURI);
  const wrong = String((Number(right) + 1) % 1_000_000).padStart(6, '0');
  for (let tries = 0; tries < 6; tries++) {
    const answer = await giveCode(cookie, wrong);
    expect([400, 401]).toContain(answer.status);
    expect(answer.headers.getSetCookie().join()).not.toMatch(/session_token=[^;]/);
  }
  const late = await giveCode(cookie, right);
  expect([400, 401]).toContain(late.status);
});

test('a code with a character that is no digit opens nothing', async () => {
  const cookie = await passPassword(await withAuthenticator());
  for (const code of ['12345é', 'éééééé', '１２３４５６']) {
    const answer = await giveCode(cookie, code);
    expect([400, 401]).toContain(answer.status);
  }
});

test('a used code opens nothing, nor does an earlier one; the next one does, without the password again', async () => {
  const person = await withAuthenticator();
  const usedAt = Date.now();
  const cookie = await passPassword(person);
  for (const at of [usedAt, usedAt - 30_000]) {
    const { status, body, headers } = await giveCode(cookie, totpCode(person.totpURI, at));
    expect([status, body.statusCode]).toEqual([401, 401]);
    expect(headers.getSetCookie().join()).not.toMatch(/session_token=[^;]/);
  }
  const code = nextCode(person.totpURI);
  expect((await giveCode(cookie, code)).status).toBe(200);
  const again = await giveCode(await passPassword(person), code);
  expect([again.status, again.body.code]).toEqual([401, 'CODE_ALREADY_USED']);
  expect(again.headers.getSetCookie().join()).not.toMatch(/session_token=[^;]/);
});

test('of a locked account nothing is said of a code, nor is it used up', async () => {
  const person = await withAuthenticator();
  const cookie = await passPassword(person);
  const lock = (until: string | null) =>
    query(app.databaseUrl, 'UPDATE two_factor SET locked_until = $2 WHERE user_id = $1', [
      person.userId,
      until,
    ]);
  await lock(new Date(Date.now() + 60_000).toISOString());
  const code = nextCode(person.totpURI);
  for (const { status, body } of [await giveCode(cookie, code), await giveCode(cookie, code)])
    expect([status, body.code]).toEqual([429, 'ACCOUNT_TEMPORARILY_LOCKED']);
  await lock(null);
  expect((await giveCode(cookie, code)).status).toBe(200);
});

test('of concurrent uses of one code, at two nodes, only one opens a session', async () => {
  const person = await withAuthenticator();
  const other = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api' });
  try {
    const cookies = await Promise.all(Array.from({ length: 6 }, () => passPassword(person)));
    const code = nextCode(person.totpURI);
    const answers = await Promise.all(
      cookies.map((cookie, index) => giveCode(cookie, code, index % 2 ? other : app)),
    );
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 401)).toHaveLength(5);
  } finally {
    await other.stop();
  }
});

test('a backup code replaces the authenticator, once', async () => {
  const person = await withAuthenticator();
  const [code] = person.backupCodes;
  const use = async () => {
    const cookie = await passPassword(person);
    return postSignIn(app, '/two-factor/verify-backup-code', { code }, { Cookie: cookie });
  };
  expect((await use()).status).toBe(200);
  expect((await use()).status).toBe(401);
});

test('neither secret nor backup codes are stored in plain text', async () => {
  const { userId, totpURI, backupCodes } = await withAuthenticator();
  const rows = await query(app.databaseUrl, 'SELECT * FROM two_factor WHERE user_id = $1', [userId]);
  const kept = JSON.stringify(rows);
  expect(rows).toHaveLength(1);
  expect(kept).not.toContain(new URL(totpURI).searchParams.get('secret'));
  for (const code of backupCodes) expect(kept).not.toContain(code);
});

test('enabling and disabling it requires the password', async () => {
  const { cookie } = await withAuthenticator();
  for (const path of ['/two-factor/enable', '/two-factor/disable']) {
    const answer = await postSignIn(app, path, { password: 'wrong password' }, { Cookie: cookie });
    expect(answer.status).toBe(400);
  }
});

describe('a second factor required for a role', () => {
  const payments = '{ payments { edges { cursor } } }';
  const require = (organizationId: string, secondFactorRoles: string[]) =>
    app.services.organizationSettings.update(operatorFor(organizationId), { secondFactorRoles });
  const needs = async (client: Client) =>
    (await client.graphql('{ me { memberships { needsSecondFactor } } }')).body.data.me.memberships;

  test('is required of people already signed in, at once, and of nobody else', async () => {
    const support = await openSession(app, { role: 'support' });
    const { organizationId } = support;
    const viewer = await openSession(app, { role: 'viewer', organizationId });
    const session = { Cookie: support.cookie, Origin: app.baseUrl, 'X-Organization-Id': organizationId };
    const live = overWebSocket(app.baseUrl, session, allPayments);
    await eventually(() => {
      expect(app.services.liveSessions.count()).toBe(1);
    });
    await require(organizationId, ['owner', 'support']);
    const { body } = await support.client.graphql(payments);
    expect(body.errors[0]).toMatchObject({
      message: expect.stringContaining('two-step verification'),
      extensions: { code: 'FORBIDDEN', reason: 'second_factor_required' },
    });
    expect(await live.ended).toBe(4401);
    expect(await needs(support.client)).toEqual([{ needsSecondFactor: true }]);
    expect((await viewer.client.graphql(payments)).body.errors).toBeUndefined();
    const parameters = `organization=${organizationId}&mode=test&locale=en`;
    const download = await fetch(`${app.baseUrl}/dashboard/payments.csv?${parameters}`, {
      headers: { Cookie: support.cookie, 'Sec-Fetch-Site': 'none' },
    });
    expect([download.status, download.headers.get('x-error-code')]).toEqual([403, 'second_factor_required']);
    await require(organizationId, []);
    expect((await support.client.graphql(payments)).body.errors).toBeUndefined();
  });

  test('admits those who enable one, and they cannot disable it again', async () => {
    const person = await withAuthenticator();
    const { organizationId, cookie, password } = person;
    await require(organizationId, ['owner']);
    const client = personalClient(app, cookie, { organizationId });
    expect((await client.graphql(payments)).body.errors).toBeUndefined();
    expect(await needs(client)).toEqual([{ needsSecondFactor: false }]);
    const answer = await postSignIn(app, '/two-factor/disable', { password }, { Cookie: cookie });
    expect([answer.status, answer.body.code]).toEqual([403, 'SECOND_FACTOR_REQUIRED']);
    await require(organizationId, []);
    expect((await postSignIn(app, '/two-factor/disable', { password }, { Cookie: cookie })).status).toBe(200);
  });

  test('is not satisfied by an unfinished enrolment', async () => {
    const { client, cookie, password, organizationId } = await openSession(app);
    await require(organizationId, ['owner']);
    expect((await postSignIn(app, '/two-factor/enable', { password }, { Cookie: cookie })).status).toBe(200);
    expect((await client.graphql(payments)).body.errors[0].extensions.reason).toBe('second_factor_required');
  });

  test('is set by owners, is logged, and must name roles', async () => {
    const owner = await openSession(app);
    const { organizationId } = owner;
    const developer = await openSession(app, { role: 'developer', organizationId });
    const set = (roles: string) =>
      `mutation { updateOrganizationSettings(input: { secondFactorRoles: ${roles} }) { secondFactorRoles } }`;
    const refused = await developer.client.graphql(set('[viewer]'));
    expect(refused.body.errors[0].extensions.code).toBe('FORBIDDEN');
    const { body } = await owner.client.graphql(set('[viewer, developer, viewer]'));
    const secondFactorRoles = ['developer', 'viewer'];
    expect(body.data.updateOrganizationSettings).toEqual({ secondFactorRoles });
    await expect(require(organizationId, ['nobody'])).rejects.toMatchObject({ code: 'invalid_request' });
    const log = '{ auditLog(first: 1) { edges { node { action details } } } }';
    const [{ node }] = (await owner.client.graphql(log)).body.data.auditLog.edges;
    expect(node).toMatchObject({
      action: 'organization.update_settings',
      details: { from: { secondFactorRoles: [] }, to: { secondFactorRoles } },
    });
  });
});

describe('a trusted device', () => {
  const trust = async (to: TestApp, person: TestPerson & { totpURI: string }) => {
    const { email, password, totpURI } = person;
    const challenge = await postSignIn(to, '/sign-in/email', { email, password });
    const body = { code: nextCode(totpURI), trustDevice: true };
    return postSignIn(to, '/two-factor/verify-totp', body, { Cookie: cookiesOf(challenge.headers) });
  };

  test('is not supported unless the operator allows it, and earlier ones do not count', async () => {
    const person = await withAuthenticator();
    const { email, password } = person;
    const refused = await trust(app, person);
    expect([refused.status, refused.body.code]).toEqual([400, 'TRUST_DEVICE_OFF']);
    const trusting = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api', TRUSTED_DEVICE_DAYS: '7' });
    try {
      const trusted = await trust(trusting, person);
      expect(trusted.headers.getSetCookie().join()).toMatch(/trust_device=[^;]+; Max-Age=604800/);
      const headers = { Cookie: cookiesOf(trusted.headers) };
      const there = await postSignIn(trusting, '/sign-in/email', { email, password }, headers);
      expect(there.body.user.email).toBe(email);
      const here = await postSignIn(
        app,
        '/sign-in/email',
        { email, password },
        {
          Cookie: cookiesOf(there.headers),
        },
      );
      expect(here.body).toMatchObject({ twoFactorRedirect: true });
    } finally {
      await trusting.stop();
    }
  });
});
