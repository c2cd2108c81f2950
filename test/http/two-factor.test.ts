import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { cookiesOf, openSession, postSignIn, type TestPerson } from '../support/people.ts';
import { totpCode } from '../support/totp.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ TRUST_PROXY: '1' });
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

test('wrong codes open nothing, and after a few of them the password is asked for again', async () => {
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

test('a code that was used opens nothing, nor does one before it; the next one does, without the password again', async () => {
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

test('of one code that is given many times at once, at two nodes, one opens a session', async () => {
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

test('a backup code stands in for the authenticator, once', async () => {
  const person = await withAuthenticator();
  const [code] = person.backupCodes;
  const use = async () => {
    const cookie = await passPassword(person);
    return postSignIn(app, '/two-factor/verify-backup-code', { code }, { Cookie: cookie });
  };
  expect((await use()).status).toBe(200);
  expect((await use()).status).toBe(401);
});

test('neither secret nor backup codes are kept as they are', async () => {
  const { userId, totpURI, backupCodes } = await withAuthenticator();
  const rows = await query(app.databaseUrl, 'SELECT * FROM two_factor WHERE user_id = $1', [userId]);
  const kept = JSON.stringify(rows);
  expect(rows).toHaveLength(1);
  expect(kept).not.toContain(new URL(totpURI).searchParams.get('secret'));
  for (const code of backupCodes) expect(kept).not.toContain(code);
});

test('it is not switched on or off without the password', async () => {
  const { cookie } = await withAuthenticator();
  for (const path of ['/two-factor/enable', '/two-factor/disable']) {
    const answer = await postSignIn(app, path, { password: 'wrong password' }, { Cookie: cookie });
    expect(answer.status).toBe(400);
  }
});
