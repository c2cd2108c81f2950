import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { freshDatabase, query } from '../support/database.ts';
import { closeGate, installGates, openGates } from '../support/gate.ts';
import { cookiesOf, openSession, postSignIn } from '../support/people.ts';
import { totpCode } from '../support/totp.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp({ DATABASE_URL: await freshDatabase(), TRUST_PROXY: '1', ROLE: 'api' });
  await installGates(app.databaseUrl, ['session']);
});

afterEach(openGates);

afterAll(() => app.stop());

type Session = Awaited<ReturnType<typeof openSession>>;

const changePassword = ({ password, cookie }: Session) =>
  postSignIn(
    app,
    '/change-password',
    { currentPassword: password, newPassword: 'another password' },
    { Cookie: cookie },
  );

async function enableSecondFactor({ password, cookie }: Session) {
  const headers = { Cookie: cookie };
  const { body } = await postSignIn(app, '/two-factor/enable', { password }, headers);
  return postSignIn(app, '/two-factor/verify-totp', { code: totpCode(body.totpURI as string) }, headers);
}

test.each([
  ['the password is changed', changePassword],
  ['a second factor is enabled', enableSecondFactor],
])('a sign-in whose password was verified before %s opens no session', async (_name, change) => {
  const person = await openSession(app);
  const gate = await closeGate(app.databaseUrl, 'INSERT', 'session');
  const late = postSignIn(app, '/sign-in/email', person);
  await gate.waiting(1);
  const changing = change(person);
  // That of the change, which is made by then.
  await gate.waiting(2);
  await gate.open();
  expect((await changing).status).toBe(200);
  const { status, headers, body } = await late;
  expect([status, body.code]).toEqual([401, 'INVALID_EMAIL_OR_PASSWORD']);
  expect(cookiesOf(headers)).toBe('');
  const rows = await query(app.databaseUrl, 'SELECT id FROM session WHERE user_id = $1', [person.userId]);
  expect(rows).toHaveLength(1);
  const { body: kept } = await createClient(app.baseUrl).get('/auth/get-session', {
    Cookie: cookiesOf((await changing).headers),
  });
  expect(kept.session.id).toBe(rows[0]?.['id']);
});
