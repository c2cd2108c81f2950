import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../src/core/base/caller.ts';
import { libraryStorages } from '../../src/core/people/sign-in/sign-in-context.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Answer, createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import {
  cookiesOf,
  createPerson,
  newAddress,
  openSession,
  personalClient,
  postSignIn,
  signIn,
  tokenOf,
  type TestPerson,
} from '../support/people.ts';
import { allPayments, overWebSocket } from '../support/subscribe.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api', TRUST_PROXY: '1' });
});

afterAll(() => app.stop());

const askWith = (headers: Record<string, string>, to = app): Promise<Answer> =>
  createClient(to.baseUrl).graphql('{ me { email } }', {}, { Origin: to.baseUrl, ...headers });

function expectRefusal({ status, body }: Answer, statusCode: number, error: string): void {
  expect({ status, statusCode: body.statusCode, error: body.error }).toEqual({
    status: statusCode,
    statusCode,
    error,
  });
  expect(body.message).toMatch(/./);
  expect(body.timestamp).toMatch(/^\d{4}-/);
}

const expectGraphqlRefusal = ({ status, body }: Answer, statusCode: number): void => {
  expect(status).toBe(statusCode);
  expect(body.errors[0].extensions.statusCode).toBe(statusCode);
  expect(body).not.toHaveProperty('data');
};

describe('a session', () => {
  test('queries GraphQL with its cookie alone, and identifies its person before an organization is chosen', async () => {
    const person = await createPerson(app, { role: 'support' });
    const cookie = await signIn(app, person);
    const text = `{ me { id email twoFactorEnabled memberships { organizationId role } } }`;
    const headers = { Cookie: cookie, Origin: app.baseUrl };
    const { body } = await createClient(app.baseUrl).graphql(text, {}, headers);
    const { organizationId, userId, email } = person;
    const memberships = [{ organizationId, role: 'support' }];
    expect(body.data.me).toEqual({ id: userId, email, twoFactorEnabled: false, memberships });
  });

  test('leaves no promise hook behind for payments, which have no sign-in', async () => {
    const { cookie } = await openSession(app);
    expect((await askWith({ Cookie: cookie })).status).toBe(200);
    const storages = libraryStorages();
    expect(storages.length).toBeGreaterThan(0);
    // Only Node before 24 has these hooks.
    expect(storages.filter((storage) => Reflect.get(storage, 'enabled') === true)).toEqual([]);
  });

  test('without an organization can do nothing else', async () => {
    const { cookie } = await openSession(app);
    const text = '{ payments { edges { cursor } } }';
    const headers = { Cookie: cookie, Origin: app.baseUrl };
    const { body } = await createClient(app.baseUrl).graphql(text, {}, headers);
    expect(body.errors[0].extensions.code).toBe('FORBIDDEN');
    expect(body.errors[0].message).toContain('X-Organization-Id');
  });

  test('hides its cookie from scripts and other sites', async () => {
    const { email, password } = await createPerson(app);
    const { headers } = await postSignIn(app, '/sign-in/email', { email, password });
    const [cookie = ''] = headers.getSetCookie();
    expect(cookie).toMatch(/^pix\.session_token=/);
    expect(cookie).toMatch(/; HttpOnly/i);
    expect(cookie).toMatch(/; SameSite=Strict/i);
    expect(cookie).not.toMatch(/; Secure/i);
    expect(headers.get('cache-control')).toBe('no-store');
  });

  test('is known by its token to the cookie alone', async () => {
    const person = await createPerson(app);
    const { email, password } = person;
    const post = (path: string, body: object, cookie = '') => postSignIn(app, path, body, { Cookie: cookie });
    const tokenIn = ({ headers }: Answer) =>
      /session_token=([^.;]{20,})/.exec(decodeURIComponent(cookiesOf(headers)))?.[1] ?? '';
    const signedIn = await post('/sign-in/email', { email, password });
    const cookie = cookiesOf(signedIn.headers);
    const client = createClient(app.baseUrl);
    const kept = await client.get('/auth/get-session', { Cookie: cookie });
    const newPassword = `${password}-new`;
    const changed = await post('/change-password', { currentPassword: password, newPassword }, cookie);
    expect([signedIn, kept, changed].map(({ status }) => status)).toEqual([200, 200, 200]);
    const tokens = [tokenIn(signedIn), tokenIn(changed)];
    expect(tokens[0]).not.toBe('');
    for (const { body } of [signedIn, kept, changed])
      expect(JSON.stringify(body)).not.toMatch(new RegExp(`"token"|${tokens.filter(Boolean).join('|')}`));
    expect(kept.body).toMatchObject({ session: { userId: person.userId }, user: { email } });
    expect((await client.get('/auth/list-sessions', { Cookie: cookie })).status).toBe(404);
  });

  test('is refused with a second session beside it', async () => {
    const [mine, theirs] = await Promise.all([openSession(app), openSession(app)]);
    const headers = { Cookie: `${theirs.cookie}; ${mine.cookie}` };
    const asked = await askWith({ ...headers, Origin: app.baseUrl });
    expect([asked.status, JSON.stringify(asked.body)]).toEqual([400, expect.stringContaining('twice')]);
    expectRefusal(await createClient(app.baseUrl).get('/auth/get-session', headers), 400, 'BadRequest');
    expectRefusal(await postSignIn(app, '/update-user', { name: 'x' }, headers), 400, 'BadRequest');
  });

  test('over https has a secure cookie, and PUBLIC_URL as its only origin', async () => {
    const origin = 'https://pay.example.com';
    const secure = await startTestApp({ ROLE: 'api', PUBLIC_URL: origin, TRUST_PROXY: '1' });
    try {
      const person = await createPerson(secure);
      const { email, password } = person;
      const signedIn = await postSignIn(secure, '/sign-in/email', { email, password }, { Origin: origin });
      const [cookie = ''] = signedIn.headers.getSetCookie();
      // Browsers refuse such a name from another host of the domain.
      expect(cookie).toMatch(/^__Host-pix\.session_token=/);
      expect(cookie).toMatch(/; Path=\/;/);
      expect(cookie).toMatch(/; Secure/i);
      expect(cookie).not.toMatch(/; Domain/i);
      const headers = { Cookie: cookiesOf(signedIn.headers) };
      expect((await askWith({ ...headers, Origin: origin }, secure)).body.data.me.email).toBe(email);
      // Another host of the domain can set the name without the prefix, with several paths.
      const foreign = 'pix.session_token=x; pix.session_token=y';
      const both = { Cookie: `${foreign}; ${headers.Cookie}`, Origin: origin };
      expect((await askWith(both, secure)).body.data.me.email).toBe(email);
      const again = { Cookie: foreign, Origin: origin };
      expect((await postSignIn(secure, '/sign-in/email', { email, password }, again)).status).toBe(200);
      expectGraphqlRefusal(await askWith(headers, secure), 403);
      const other = await postSignIn(secure, '/sign-in/email', { email, password });
      expectRefusal(other, 403, 'Forbidden');
    } finally {
      await secure.stop();
    }
  });

  describe('requested by its page', () => {
    const hoursLeft = async (cookie: string, userId: string, startedHoursAgo: number) => {
      const times = `UPDATE session SET created_at = now() - $2 * interval '1 hour',
        expires_at = now() + interval '10 hours' WHERE user_id = $1`;
      await query(app.databaseUrl, times, [userId, startedHoursAgo]);
      const { body } = await createClient(app.baseUrl).get('/auth/get-session', { Cookie: cookie });
      const [kept] = await query<{ expires_at: Date }>(
        app.databaseUrl,
        'SELECT expires_at FROM session WHERE user_id = $1',
        [userId],
      );
      expect(kept?.expires_at).toEqual(new Date(body.session.expiresAt));
      return Math.round((new Date(body.session.expiresAt).getTime() - Date.now()) / 3_600_000);
    };

    test.each([
      ['lasts 12 hours more', 2, 12],
      ['lasts seven days in all', 7 * 24 - 3, 3],
    ])('%s', async (_name, startedHoursAgo, left) => {
      const { cookie, userId } = await openSession(app);
      expect(await hoursLeft(cookie, userId, startedHoursAgo)).toBe(left);
    });
  });

  test('ends with the sign-out', async () => {
    const { cookie } = await openSession(app);
    expect((await postSignIn(app, '/sign-out', {}, { Cookie: cookie })).status).toBe(200);
    expectGraphqlRefusal(await askWith({ Cookie: cookie }), 401);
  });

  test('that has ended is refused', async () => {
    const { cookie, userId } = await openSession(app);
    const text = `UPDATE session SET expires_at = now() - interval '1 second' WHERE user_id = $1`;
    await query(app.databaseUrl, text, [userId]);
    expectGraphqlRefusal(await askWith({ Cookie: cookie }), 401);
  });

  test.each([
    ['a forged signature', (cookie: string) => cookie.replace(/=([^.]+)\..*/, '=$1.Zm9yZ2Vk')],
    ['no signature', (cookie: string) => cookie.replace(/=([^.]+)\..*/, '=$1')],
    ['another token', (cookie: string) => cookie.replace(/=[^.]+\./, `=${randomUUID()}.`)],
    ['nothing', (cookie: string) => cookie.replace(/=.*/, '=')],
  ])('with %s in its cookie is refused', async (_name, spoil) => {
    const { cookie } = await openSession(app);
    expectGraphqlRefusal(await askWith({ Cookie: spoil(cookie) }), 401);
  });

  test('is ignored if there is a key, even a bad one', async () => {
    const { cookie } = await openSession(app);
    const { key } = await createKey(app.services);
    const asKey = await askWith({ Cookie: cookie, 'X-API-Key': key });
    expect(asKey.body.errors[0].extensions.code).toBe('FORBIDDEN');
    expectGraphqlRefusal(await askWith({ Cookie: cookie, 'X-API-Key': 'pk_test_x' }), 401);
  });

  test('does not open REST', async () => {
    const { client } = await openSession(app);
    expectRefusal(await client.get('/v1/payments'), 401, 'Unauthorized');
  });

  test("works only in its person's organizations", async () => {
    const { cookie } = await openSession(app);
    const stranger = await createPerson(app);
    for (const organizationId of [stranger.organizationId, randomUUID(), 'x']) {
      const client = personalClient(app, cookie, { organizationId });
      expectGraphqlRefusal(await client.graphql('{ payments { edges { cursor } } }'), 403);
    }
  });

  test('loses an organization with the membership, at once', async () => {
    const owner = await openSession(app);
    const other = await openSession(app, { organizationId: owner.organizationId, role: 'viewer' });
    const text = 'mutation ($userId: ID!) { removeMember(userId: $userId) }';
    expect((await owner.client.graphql(text, other)).body).toEqual({ data: { removeMember: true } });
    expectGraphqlRefusal(await other.client.graphql('{ payments { edges { cursor } } }'), 403);
  });

  test('needs an existing mode', async () => {
    const { client } = await openSession(app);
    expectGraphqlRefusal(await client.graphql('{ me { id } }', {}, { 'X-Mode': 'prod' }), 400);
  });
});

describe("another site's page", () => {
  test.each([
    ['a foreign origin', { Origin: 'https://evil.example' }],
    ['the opaque origin', { Origin: 'null' }],
    ['no origin', { Origin: undefined }],
  ])('cannot use the session: %s', async (_name, { Origin }) => {
    const { cookie } = await openSession(app);
    const answer = await createClient(app.baseUrl).graphql(
      '{ me { id } }',
      {},
      { Cookie: cookie, ...(Origin !== undefined && { Origin }) },
    );
    expectGraphqlRefusal(answer, 403);
  });

  test('cannot send GraphQL as a form', async () => {
    const { cookie } = await openSession(app);
    const answer = await createClient(app.baseUrl).post('/graphql', '{"query":"{ me { id } }"}', {
      'Content-Type': 'text/plain',
      Cookie: cookie,
      Origin: app.baseUrl,
    });
    expectGraphqlRefusal(answer, 415);
  });

  test.each(['/sign-in/email', '/sign-out', '/two-factor/enable'])('cannot post to %s', async (path) => {
    const { cookie, email, password } = await openSession(app);
    const headers = { Origin: 'https://evil.example', Cookie: cookie };
    expectRefusal(await postSignIn(app, path, { email, password }, headers), 403, 'Forbidden');
    expect((await askWith({ Cookie: cookie })).status).toBe(200);
  });

  test('cannot sign a visitor in', async () => {
    const { email, password } = await createPerson(app);
    const answer = await postSignIn(
      app,
      '/sign-in/email',
      { email, password },
      { Origin: 'https://evil.example' },
    );
    expectRefusal(answer, 403, 'Forbidden');
    expect(answer.headers.getSetCookie()).toEqual([]);
  });
});

const rulesOf = ({ body }: Answer): Record<string, string> =>
  Object.fromEntries(
    (body.problems ?? []).map(({ path, rule }: { path: string; rule: string }) => [path, rule]),
  );

describe('the sign-in', () => {
  const wrong = (person: TestPerson): [string, object][] => [
    ['a wrong password', { email: person.email, password: 'wrong password' }],
    ['an unknown person', { email: `${randomUUID()}@example.com`, password: person.password }],
  ];

  test('responds alike to a wrong password and an unknown person', async () => {
    const person = await createPerson(app);
    const messages = new Set<string>();
    for (const [, body] of wrong(person)) {
      const answer = await postSignIn(app, '/sign-in/email', body);
      expectRefusal(answer, 401, 'Unauthorized');
      expect(answer.headers.getSetCookie()).toEqual([]);
      messages.add(`${answer.body.message} ${answer.body.code}`);
    }
    expect(messages.size).toBe(1);
  });

  test.each([
    ['nothing', {}, { email: 'required', password: 'required' }],
    ['no password', { email: 'a@example.com' }, { password: 'required' }],
    ['a number', { email: 'a@example.com', password: 1 }, { password: 'invalid' }],
    ['no address', { email: 'a', password: 'wrong password' }, { email: 'email' }],
  ])('refuses %s with 400, and names the fields', async (_name, body, rules) => {
    const answer = await postSignIn(app, '/sign-in/email', body);
    expectRefusal(answer, 400, 'BadRequest');
    expect(rulesOf(answer)).toEqual(rules);
  });

  test('names the field that is wrong, whatever is proved by it', async () => {
    const person = await openSession(app);
    const { cookie, email, password } = person;
    const refused = async (path: string, body: object) =>
      rulesOf(await postSignIn(app, path, body, { Cookie: cookie }));
    const changed = (currentPassword: string, newPassword: string) =>
      refused('/change-password', { currentPassword, newPassword });
    expect(await refused('/sign-in/email', { email, password: 'wrong password' })).toEqual({
      password: 'incorrect',
    });
    expect(await changed('wrong password', 'another password')).toEqual({ currentPassword: 'incorrect' });
    expect(await changed(password, 'short')).toEqual({ newPassword: 'min_length' });
    expect(await changed(password, 'x'.repeat(129))).toEqual({ newPassword: 'max_length' });
    expect(await changed(password, password)).toEqual({ newPassword: 'different_from' });
    expect(await refused('/two-factor/enable', { password: 'wrong password' })).toEqual({
      password: 'incorrect',
    });
    const { body } = await postSignIn(app, '/two-factor/enable', { password }, { Cookie: cookie });
    expect(body.totpURI).toContain('otpauth://');
    expect(await refused('/two-factor/verify-totp', { code: '000000' })).toEqual({ code: 'incorrect' });
  });

  test('names the fields of a link', async () => {
    const { url } = await app.services.invitations.invite(
      operatorFor((await app.services.organizations.create('Fields')).id),
      { email: `${randomUUID()}@example.com`, role: 'viewer' },
    );
    const token = tokenOf(url);
    const accept = async (body: object) =>
      rulesOf(await postSignIn(app, '/invitation/accept', { token, ...body }));
    expect(await accept({ password: 'short' })).toEqual({ name: 'required', password: 'min_length' });
    expect(await accept({ name: ' ', password: 'a long password' })).toEqual({ name: 'required' });
  });

  test('accepts JSON only', async () => {
    const headers = { 'Content-Type': 'text/plain' };
    const answer = await postSignIn(app, '/sign-in/email', {}, headers);
    expectRefusal(answer, 415, 'UnsupportedMediaType');
  });

  test.each([
    '/sign-up/email',
    '/sign-in/social',
    '/request-password-reset',
    '/reset-password',
    '/change-email',
    '/delete-user',
    '/two-factor/send-otp',
    '/two-factor/view-backup-codes',
    '/two-factor/get-totp-uri',
    '/revoke-sessions',
    '/error',
    '/ok',
    '',
  ])('has no %s', async (path) => {
    const body = { email: `${randomUUID()}@example.com`, password: 'a long password', name: 'x' };
    expectRefusal(await postSignIn(app, path, body), 404, 'NotFound');
    const rows = await query(app.databaseUrl, 'SELECT id FROM "user" WHERE email = $1', [body.email]);
    expect(rows).toEqual([]);
  });

  test('is limited by address', async () => {
    const person = await createPerson(app);
    const { email } = person;
    const headers = { 'X-Forwarded-For': '203.0.113.77' };
    for (let tries = 0; tries < 20; tries += 1) {
      const { status } = await postSignIn(
        app,
        '/sign-in/email',
        { email, password: 'wrong password' },
        headers,
      );
      expect(status).toBe(401);
    }
    const answer = await postSignIn(app, '/sign-in/email', person, headers);
    expectRefusal(answer, 429, 'TooManyRequests');
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThanOrEqual(1);
    expect((await postSignIn(app, '/sign-in/email', person)).status).toBe(200);
  });

  test('is limited by person, whatever the addresses', async () => {
    const person = await createPerson(app);
    const body = { email: person.email.toUpperCase(), password: 'wrong password' };
    await Promise.all(Array.from({ length: 30 }, () => postSignIn(app, '/sign-in/email', body)));
    expectRefusal(await postSignIn(app, '/sign-in/email', person), 429, 'TooManyRequests');
  });

  test('is limited for whoever is signed in as well, whatever the addresses and the body', async () => {
    const { cookie } = await openSession(app);
    const paths = ['/change-password', '/two-factor/disable', '/two-factor/generate-backup-codes'];
    const attempt = (path: string, email: string) => postSignIn(app, path, { email }, { Cookie: cookie });
    const attempts = Array.from({ length: 30 }, (_, index) =>
      attempt(paths[index % paths.length] ?? '', `${index}@example.com`),
    );
    expect(new Set((await Promise.all(attempts)).map(({ status }) => status))).toEqual(new Set([400]));
    for (const path of paths) expectRefusal(await attempt(path, 'other@example.com'), 429, 'TooManyRequests');
  });

  test('accepts a new password, which must be long', async () => {
    const person = await openSession(app);
    const { cookie, password: currentPassword } = person;
    const change = (newPassword: string) =>
      postSignIn(app, '/change-password', { currentPassword, newPassword }, { Cookie: cookie });
    expectRefusal(await change('short'), 400, 'BadRequest');
    expect((await change('a longer password')).status).toBe(200);
    expectRefusal(await postSignIn(app, '/sign-in/email', person), 401, 'Unauthorized');
    await signIn(app, { ...person, password: 'a longer password' });
  });
});

describe('an initial password', () => {
  const payments = '{ payments { edges { cursor } } }';
  const change = ({ cookie, password }: { cookie: string; password: string }, newPassword: string) =>
    postSignIn(app, '/change-password', { currentPassword: password, newPassword }, { Cookie: cookie });

  test('opens a session that can only query its own person', async () => {
    const { client, cookie, organizationId } = await openSession(app, { mustChangePassword: true });
    const { body } = await client.graphql('{ me { mustChangePassword } }');
    expect(body).toEqual({ data: { me: { mustChangePassword: true } } });
    const refused = await client.graphql(payments);
    expect(refused.body.errors[0]).toMatchObject({
      message: 'Change the initial password first: POST /auth/change-password',
      extensions: { code: 'FORBIDDEN', statusCode: 403 },
    });
    const session = { Cookie: cookie, Origin: app.baseUrl, 'X-Organization-Id': organizationId };
    const { results, ended } = overWebSocket(app.baseUrl, session, allPayments);
    expect(await ended).toBe('complete');
    expect(results[0].errors[0].extensions.code).toBe('FORBIDDEN');
  });

  test.each(['/two-factor/enable', '/update-user'])('must be changed before %s', async (path) => {
    const { cookie, password } = await openSession(app, { mustChangePassword: true });
    const body = path === '/update-user' ? { name: 'Fulana' } : { password };
    const answer = await postSignIn(app, path, body, { Cookie: cookie });
    expectRefusal(answer, 403, 'Forbidden');
    expect(answer.body.code).toBe('MUST_CHANGE_PASSWORD');
  });

  test('cannot be changed into itself, nor without giving it', async () => {
    const session = await openSession(app, { mustChangePassword: true });
    expectRefusal(await change(session, session.password), 400, 'BadRequest');
    expectRefusal(
      await change({ ...session, password: 'not the password' }, 'a longer password'),
      400,
      'BadRequest',
    );
    expect((await session.client.graphql(payments)).body.errors[0].extensions.code).toBe('FORBIDDEN');
  });

  test('cannot be bypassed', async () => {
    for (const mustChangePassword of [true, false]) {
      const { cookie, userId } = await openSession(app, { mustChangePassword });
      const body = { name: 'Fulana', mustChangePassword: !mustChangePassword };
      const { status } = await postSignIn(app, '/update-user', body, { Cookie: cookie });
      expect([400, 403]).toContain(status);
      const rows = await query(app.databaseUrl, 'SELECT must_change_password FROM "user" WHERE id = $1', [
        userId,
      ]);
      expect(rows).toEqual([{ must_change_password: mustChangePassword }]);
    }
  });

  test('that was changed restricts nobody', async () => {
    const session = await openSession(app, { mustChangePassword: true });
    const { status, headers } = await change(session, 'a longer password');
    expect(status).toBe(200);
    const client = personalClient(app, cookiesOf(headers), session);
    const { body } = await client.graphql(`{ me { mustChangePassword } ${payments.slice(1)}`);
    expect(body).toEqual({ data: { me: { mustChangePassword: false }, payments: { edges: [] } } });
  });
});

describe('the name of a person', () => {
  const nameOf = async (cookie: string): Promise<string> =>
    (await createClient(app.baseUrl).get('/auth/get-session', { Cookie: cookie })).body.user.name;

  test('is trimmed', async () => {
    const { cookie } = await openSession(app);
    const { status } = await postSignIn(app, '/update-user', { name: ' Beltrana ' }, { Cookie: cookie });
    expect([status, await nameOf(cookie)]).toEqual([200, 'Beltrana']);
  });

  test.each([
    ['empty', { name: ' ' }, { name: 'required' }],
    ['missing', {}, { name: 'required' }],
    ['too long', { name: 'x'.repeat(60_000) }, { name: 'max_length' }],
    ['not storable', { name: 'a\0b' }, { name: 'max_length' }],
    ['beside an image', { name: 'Beltrana', image: 'javascript:alert(1)' }, { body: 'unknown' }],
  ])('that is %s is refused with 400', async (_name, input, rules) => {
    const { cookie } = await openSession(app);
    const before = await nameOf(cookie);
    const answer = await postSignIn(app, '/update-user', input, { Cookie: cookie });
    expectRefusal(answer, 400, 'BadRequest');
    expect(rulesOf(answer)).toEqual(rules);
    expect(await nameOf(cookie)).toBe(before);
  });
});

test.each([
  [
    'reading the session',
    (headers: object) => createClient(app.baseUrl).get('/auth/get-session', { ...headers }),
  ],
  ['changing the name', (headers: object) => postSignIn(app, '/update-user', {}, { ...headers })],
])('%s is limited by address', async (_name, send) => {
  const headers = { 'X-Forwarded-For': newAddress() };
  for (let sent = 0; sent < 600; sent += 50)
    await Promise.all(Array.from({ length: 50 }, () => send(headers)));
  expectRefusal(await send(headers), 429, 'TooManyRequests');
});

test('changing the password ends every other session and its connections', async () => {
  const session = await openSession(app);
  const { cookie, password: currentPassword, organizationId } = session;
  const elsewhere = await signIn(app, session);
  const streams = [cookie, elsewhere].map((each) =>
    overWebSocket(
      app.baseUrl,
      { Cookie: each, Origin: app.baseUrl, 'X-Organization-Id': organizationId },
      allPayments,
    ),
  );
  await eventually(() => {
    expect(app.services.livePayments.count()).toBe(2);
  });
  // Whatever the page asks for.
  const body = { currentPassword, newPassword: 'a longer password', revokeOtherSessions: false };
  const { status, headers } = await postSignIn(app, '/change-password', body, { Cookie: cookie });
  expect(status).toBe(200);
  for (const old of [cookie, elsewhere]) expectGraphqlRefusal(await askWith({ Cookie: old }), 401);
  expect((await askWith({ Cookie: cookiesOf(headers) })).body.data.me.email).toBe(session.email);
  expect(await Promise.all(streams.map(({ ended }) => ended))).toEqual([4401, 4401]);
});

test('whoever is no longer signed in is told so, and whoever sends a key is told of the key', async () => {
  const { cookie } = await openSession(app);
  await postSignIn(app, '/sign-out', {}, { Cookie: cookie });
  const refusalOf = async (headers: Record<string, string>) => {
    const { status, body } = await askWith(headers);
    const { message, extensions } = body.errors[0];
    return [status, extensions.reason, message];
  };
  const ended = [401, 'session_ended', 'The session has ended: sign in again'];
  expect(await refusalOf({ Cookie: cookie })).toEqual(ended);
  const badKey = [401, 'unauthorized', 'The API key is missing or invalid'];
  expect(await refusalOf({ Cookie: cookie, 'X-API-Key': 'pk_test_none' })).toEqual(badKey);
  expect(await refusalOf({})).toEqual(badKey);
});

test('expired sessions and two-step challenges are deleted, some at a time', async () => {
  const { userId, cookie } = await openSession(app);
  await query(
    app.databaseUrl,
    `INSERT INTO session (id, token, user_id, expires_at, created_at, updated_at)
     SELECT gen_random_uuid(), gen_random_uuid(), $1, now() - interval '1 minute', now(), now() FROM generate_series(1, 3)`,
    [userId],
  );
  await query(
    app.databaseUrl,
    `INSERT INTO verification (id, identifier, value, expires_at, created_at, updated_at)
     SELECT gen_random_uuid(), $1, 'x', now() + minutes * interval '1 minute', now(), now()
     FROM unnest(ARRAY[-1, 1]) AS minutes`,
    [userId],
  );
  const countOf = async (table: string, column: string) =>
    (await query(app.databaseUrl, `SELECT FROM ${table} WHERE ${column}::text = $1`, [userId])).length;
  expect(await app.services.sessions.deleteExpired(1)).toBe(2);
  while ((await app.services.sessions.deleteExpired(1_000)) > 0);
  expect([await countOf('session', 'user_id'), await countOf('verification', 'identifier')]).toEqual([1, 1]);
  expect((await askWith({ Cookie: cookie })).status).toBe(200);
});
