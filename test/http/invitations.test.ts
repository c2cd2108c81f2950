import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import pg from 'pg';
import { operatorFor } from '../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { freshDatabase, query } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { mailedLink, type MailServer, startMailServer } from '../support/mail-server.ts';
import {
  addMember,
  cookiesOf,
  createPerson,
  openSession,
  postSignIn,
  signIn,
  tokenOf,
} from '../support/people.ts';
import { totpCode } from '../support/totp.ts';

let app: TestApp;
let mail: MailServer;
let minutesLater = 0;

beforeAll(async () => {
  const now = () => new Date(Date.now() + minutesLater * 60_000);
  mail = await startMailServer();
  const env = { DATABASE_URL: await freshDatabase(), SMTP_URL: mail.url, SMTP_FROM: 'pix@example.com' };
  app = await startTestApp({ ...env, TRUST_PROXY: '1', ROLE: 'api' }, { now });
});

afterAll(async () => {
  await app.stop();
  await mail.stop();
});

const newEmail = () => `${randomUUID()}@example.com`;

const password = 'a password of my own';

const post = (path: string, body: object, cookie?: string, headers = {}) =>
  postSignIn(app, path, body, { ...(cookie !== undefined && { Cookie: cookie }), ...headers });

const accept = (token: string, body: object = {}, cookie?: string) =>
  post('/invitation/accept', { token, ...body }, cookie);

const newcomer = { name: 'Beltrana', password };

type Session = Awaited<ReturnType<typeof openSession>>;

async function invite({ client }: Session, email: string, role = 'support') {
  const text = `mutation ($email: String!, $role: Role!) {
    inviteMember(email: $email, role: $role) { url invitation { id email role invitedBy expiresAt } } }`;
  const { body } = await client.graphql(text, { email, role });
  expect(body.errors).toBeUndefined();
  const { url: shown, invitation } = body.data.inviteMember;
  // Others may be due before it, or a worker may be sending it.
  const url = await eventually(async () => {
    await app.services.linkMail.sendDue(5);
    return mailedLink(mail, invitation.email as string);
  });
  return { shown: shown as string, url, id: invitation.id as string, token: tokenOf(url), invitation };
}

const pendingOf = async ({ client }: Session): Promise<string[]> => {
  const { body } = await client.graphql('{ invitations { id } }');
  return body.data.invitations.map(({ id }: { id: string }) => id);
};

const rolesOf = (email: string) =>
  query<{ organization_id: string; role: string }>(
    app.databaseUrl,
    'SELECT organization_id, role FROM member JOIN "user" ON id = user_id WHERE email = $1',
    [email],
  );

const refused = async (answer: ReturnType<typeof post>) => {
  const { status, headers, body } = await answer;
  expect(body.message).toMatch(/./);
  return [status, headers.get('x-error-code')];
};

describe('an invitation', () => {
  test('of someone new is a link to choose a password that nobody else knows', async () => {
    const owner = await openSession(app);
    const email = newEmail();
    const { shown, url, id, token, invitation } = await invite(owner, email.toUpperCase());
    // Whoever invites could otherwise take the address before its holder comes.
    expect(shown).toBe(url.split('#')[0]);
    expect(url).toMatch(/^http:\/\/localhost:\d+\/dashboard\/invitation\/#[\w-]{43}$/);
    expect(invitation).toMatchObject({ email, role: 'support', invitedBy: owner.email });
    expect(await pendingOf(owner)).toEqual([id]);
    expect(await rolesOf(email)).toEqual([]);
    const { body: open } = await post('/invitation', { token });
    expect(open).toMatchObject({ email, role: 'support', name: null, hasAccount: false });
    expect((await accept(token, newcomer)).status).toBe(200);
    expect(await rolesOf(email)).toEqual([{ organization_id: owner.organizationId, role: 'support' }]);
    const { status, body } = await post('/sign-in/email', { email, password });
    expect([status, body.user.name, body.user.mustChangePassword]).toEqual([200, 'Beltrana', false]);
    expect(await pendingOf(owner)).toEqual([]);
    const log = '{ auditLog(first: 2, kind: changes) { edges { node { action actor subject } } } }';
    const { edges } = (await owner.client.graphql(log)).body.data.auditLog;
    expect(edges).toMatchObject([
      { node: { action: 'member.join', actor: email } },
      { node: { action: 'member.invite', actor: owner.email, subject: id } },
    ]);
  });

  test('that somebody has revoked is not sent again from a list that is older', async () => {
    const owner = await openSession(app);
    const other = await openSession(app);
    const email = newEmail();
    const { id } = await invite(owner, email);
    const text = `mutation ($email: String!, $replaces: ID!) {
      inviteMember(email: $email, role: support, replaces: $replaces) { invitation { id } } }`;
    const sendAgain = async (replaces: string, { client } = owner, to = email) => {
      const { data, errors } = (await client.graphql(text, { email: to, replaces })).body;
      return (errors?.[0].extensions.reason ?? data.inviteMember.invitation.id) as string;
    };
    const again = await sendAgain(id);
    expect(await pendingOf(owner)).toEqual([again]);
    await owner.client.graphql('mutation ($id: ID!) { revokeInvitation(id: $id) }', { id: again });
    for (const stale of [again, id, 'x']) expect(await sendAgain(stale)).toBe('invitation_not_found');
    expect(await pendingOf(owner)).toEqual([]);

    const elsewhere = await invite(owner, newEmail());
    expect(await sendAgain(elsewhere.id)).toBe('invitation_not_found');
    expect(await sendAgain(elsewhere.id, other, elsewhere.invitation.email as string)).toBe(
      'invitation_not_found',
    );
    expect(await pendingOf(owner)).toEqual([elsewhere.id]);
  });

  test('does not reveal its token elsewhere', async () => {
    const owner = await openSession(app);
    const { token, id } = await invite(owner, newEmail());
    const rows = await query(app.databaseUrl, 'SELECT * FROM invitation WHERE id = $1', [id]);
    const entries = await query(app.databaseUrl, 'SELECT * FROM audit_entry WHERE subject = $1', [id]);
    expect([rows.length, entries.length]).toEqual([1, 1]);
    expect(JSON.stringify([rows, entries])).not.toContain(token);
  });

  test('adds nobody with an account without their consent', async () => {
    const owner = await openSession(app);
    const known = await createPerson(app);
    const { token } = await invite(owner, known.email, 'viewer');
    expect((await post('/invitation', { token })).body).toMatchObject({ hasAccount: true });
    expect(await refused(accept(token, newcomer))).toEqual([401, 'sign_in_required']);
    expect(await refused(accept(token, {}, owner.cookie))).toEqual([403, 'invitation_of_somebody_else']);
    expect(await rolesOf(known.email)).toHaveLength(1);
    const { status, body } = await accept(token, newcomer, await signIn(app, known));
    expect([status, body.organizationId]).toEqual([200, owner.organizationId]);
    expect(await rolesOf(known.email)).toContainEqual({
      organization_id: owner.organizationId,
      role: 'viewer',
    });
    // The password stays theirs.
    await signIn(app, known);
  });

  test('is not accepted with the password alone by someone with a second factor', async () => {
    const owner = await openSession(app);
    const known = await openSession(app);
    const { body } = await post('/two-factor/enable', { password: known.password }, known.cookie);
    await post('/two-factor/verify-totp', { code: totpCode(body.totpURI as string) }, known.cookie);
    const { token } = await invite(owner, known.email);
    const challenge = await post('/sign-in/email', { email: known.email, password: known.password });
    expect(await refused(accept(token, {}, cookiesOf(challenge.headers)))).toEqual([401, 'sign_in_required']);
    expect(await rolesOf(known.email)).toHaveLength(1);
  });

  test('is not accepted from another site, nor with an initial password', async () => {
    const owner = await openSession(app);
    const known = await openSession(app, { mustChangePassword: true });
    const { token } = await invite(owner, known.email);
    const foreign = post('/invitation/accept', { token }, known.cookie, { Origin: 'https://evil.example' });
    expect(await refused(foreign)).toEqual([403, 'foreign_origin']);
    expect(await refused(accept(token, {}, known.cookie))).toEqual([403, 'password_change_required']);
    expect(await rolesOf(known.email)).toHaveLength(1);
  });

  const ended: [
    name: string,
    end: (owner: Session, invited: { id: string; token: string; email: string }) => unknown,
  ][] = [
    ['was accepted', (_owner, { token }) => accept(token, newcomer)],
    ['was revoked', ({ client }, { id }) => client.graphql(`mutation { revokeInvitation(id: "${id}") }`)],
    ['was replaced by a later one', (owner, { email }) => invite(owner, email)],
    [
      'is of somebody who may invite no more',
      async ({ organizationId, userId }) => {
        await createPerson(app, { organizationId });
        await app.services.members.setRole(operatorFor(organizationId), userId, 'developer');
      },
    ],
    ['has expired', () => (minutesLater = 7 * 24 * 60 + 1)],
  ];

  test.each(ended)('that %s is invalid', async (_name, end) => {
    const owner = await openSession(app);
    const email = newEmail();
    const invited = await invite(owner, email);
    await end(owner, { ...invited, email });
    const before = await rolesOf(email);
    try {
      for (const path of ['/invitation', '/invitation/accept']) {
        const answer = post(path, { token: invited.token, ...newcomer });
        expect(await refused(answer)).toEqual([400, 'invitation_not_valid']);
      }
    } finally {
      minutesLater = 0;
    }
    expect(await rolesOf(email)).toEqual(before);
  });

  test.each([undefined, null, 7, '', 'x', 'x'.repeat(43), { a: 1 }])('is not found by %j', async (token) => {
    expect(await refused(post('/invitation', { token }))).toEqual([400, 'invitation_not_valid']);
  });

  test.each([
    ['a short password', { name: 'x', password: 'short' }, 'password must be at least 12 characters'],
    ['a long password', { name: 'x', password: 'x'.repeat(129) }, 'password must be at most 128 characters'],
    ['no name', { name: ' ', password }, 'name must be 1 to 200 characters'],
    ['nothing', {}, 'name is required; password is required'],
  ])('is not accepted with %s, and stays pending', async (_name, body, message) => {
    const owner = await openSession(app);
    const { id, token } = await invite(owner, newEmail());
    const answer = await accept(token, body);
    expect([answer.status, answer.body.message]).toEqual([400, message]);
    expect(await pendingOf(owner)).toEqual([id]);
  });

  test('admits its invitee once, even under concurrent attempts', async () => {
    const owner = await openSession(app);
    const email = newEmail();
    const { token } = await invite(owner, email);
    const answers = await Promise.all(Array.from({ length: 5 }, () => accept(token, newcomer)));
    expect(
      answers
        .map(({ status }) => status)
        .toSorted((a, b) => a - b)
        .slice(0, 2),
    ).toEqual([200, 400]);
    expect(answers.filter(({ status }) => status === 200)).toHaveLength(1);
    expect(await rolesOf(email)).toHaveLength(1);
  });

  test('is the only pending one of its address, even of several sent at once', async () => {
    const owner = await openSession(app);
    const email = newEmail();
    const operator = operatorFor(owner.organizationId);
    const send = () => app.services.invitations.invite(operator, { email, role: 'viewer' });
    const sent = await Promise.all(Array.from({ length: 8 }, send));
    const [pending, ...others] = await pendingOf(owner);
    expect(sent.map(({ invitation }) => invitation.id)).toContain(pending);
    expect(others).toEqual([]);
  });

  /** Leaves them as older releases did: pending, whoever joined meanwhile. */
  const makePending = ({ id }: { id: string }) =>
    query(app.databaseUrl, 'UPDATE invitation SET revoked_at = NULL WHERE id = $1', [id]);

  test.each([
    [
      'is added by the operator',
      (owner: Session, email: string) =>
        app.services.members.create(operatorFor(owner.organizationId), { email, role: 'viewer' }),
    ],
    [
      'accepts another one',
      async (owner: Session, email: string, older: { id: string }) => {
        const { token } = await invite(owner, email);
        await makePending(older);
        expect((await accept(token, newcomer)).status).toBe(200);
      },
    ],
  ])('ends when its invitee %s', async (_name, join) => {
    const owner = await openSession(app);
    const email = newEmail();
    const older = await invite(owner, email);
    await join(owner, email, older);
    expect(await pendingOf(owner)).toEqual([]);
  });

  test('of a node of 1.1, whose inviter saw the link, is worth nothing; the operator’s is', async () => {
    const owner = await openSession(app);
    const { token, id } = await invite(owner, newEmail());
    await query(app.databaseUrl, 'UPDATE invitation SET proves_email = false WHERE id = $1', [id]);
    expect(await refused(post('/invitation', { token }))).toEqual([400, 'invitation_not_valid']);
    expect(await refused(accept(token, newcomer))).toEqual([400, 'invitation_not_valid']);
    expect(await pendingOf(owner)).toEqual([]);
    const [email, operator] = [newEmail(), operatorFor(owner.organizationId)];
    const made = await app.services.invitations.invite(operator, { email, role: 'support' });
    const ofOperator = made.invitation.id;
    await query(app.databaseUrl, 'UPDATE invitation SET proves_email = false WHERE id = $1', [ofOperator]);
    expect(await pendingOf(owner)).toEqual([ofOperator]);
    expect((await accept(tokenOf(made.url), newcomer)).status).toBe(200);
  });

  test('whose inviter is being removed waits for that, and admits nobody', async () => {
    const owner = await openSession(app);
    const email = newEmail();
    const { token } = await invite(owner, email);
    const removal = new pg.Client({ connectionString: app.databaseUrl });
    await removal.connect();
    await removal.query('BEGIN');
    await removal.query('DELETE FROM member WHERE organization_id = $1', [owner.organizationId]);
    const accepting = refused(accept(token, newcomer));
    const waiting = `SELECT FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()`;
    await eventually(async () => expect(await query(app.databaseUrl, waiting)).toHaveLength(1));
    await removal.query('COMMIT');
    await removal.end();
    expect(await accepting).toEqual([400, 'invitation_not_valid']);
    expect(await rolesOf(email)).toEqual([]);
  });

  test('does not bring back a member who was removed', async () => {
    const owner = await openSession(app);
    const email = newEmail();
    const older = await invite(owner, email, 'owner');
    expect((await accept((await invite(owner, email)).token, newcomer)).status).toBe(200);
    await makePending(older);
    const signedIn = await post('/sign-in/email', { email, password });
    const text = 'mutation ($userId: ID!) { removeMember(userId: $userId) }';
    const { body } = await owner.client.graphql(text, { userId: signedIn.body.user.id });
    expect(body).toEqual({ data: { removeMember: true } });
    const back = accept(older.token, {}, cookiesOf(signedIn.headers));
    expect(await refused(back)).toEqual([400, 'invitation_not_valid']);
    expect(await rolesOf(email)).toEqual([]);
  });

  test('is managed by owners of its organization', async () => {
    const owner = await openSession(app);
    const stranger = await openSession(app);
    const developer = await openSession(app, { role: 'developer', organizationId: owner.organizationId });
    const { id } = await invite(owner, newEmail());
    const revoke = `mutation { revokeInvitation(id: "${id}") }`;
    const codeOf = async ({ client }: Session, text: string) =>
      (await client.graphql(text)).body.errors[0].extensions.reason;
    expect(await codeOf(stranger, revoke)).toBe('invitation_not_found');
    expect(await codeOf(developer, revoke)).toBe('permission_denied');
    expect(await codeOf(developer, '{ invitations { id } }')).toBe('permission_denied');
    expect(await pendingOf(stranger)).toEqual([]);
    expect(await pendingOf(owner)).toEqual([id]);
    const text = `mutation { inviteMember(email: "${developer.email}", role: viewer) { url } }`;
    expect(await codeOf(owner, text)).toBe('already_member');
  });
});

test('without a mail server nobody invites but the operator, who passes the link on', async () => {
  const deaf = await startTestApp({ TRUST_PROXY: '1', ROLE: 'api' });
  try {
    const { client, organizationId } = await openSession(deaf);
    const invited = { email: newEmail(), role: 'viewer' };
    const text = `mutation { inviteMember(email: "${invited.email}", role: viewer) { url } }`;
    const { body } = await client.graphql(text);
    expect(body.errors).toMatchObject([{ extensions: { reason: 'email_not_configured' } }]);
    expect((await client.graphql('{ invitations { id } }')).body.data.invitations).toEqual([]);
    const { url } = await deaf.services.invitations.invite(operatorFor(organizationId), invited);
    expect(tokenOf(url)).toMatch(/^[\w-]{43}$/);
  } finally {
    await deaf.stop();
  }
});

describe('a link to a new password', () => {
  const reset = async (email: string) => tokenOf((await app.services.passwords.reset(email)).url);
  const choose = (token: string, chosen = password) =>
    post('/new-password/choose', { token, password: chosen });

  test('works once, and until then no password does', async () => {
    const person = await openSession(app);
    const { email } = person;
    const token = await reset(email);
    expect((await post('/sign-in/email', { email, password: person.password })).status).toBe(401);
    expect((await person.client.graphql('{ me { id } }')).status).toBe(401);
    expect((await post('/new-password', { token })).body).toEqual({ email });
    const short = await choose(token, 'short');
    expect([short.status, short.body.message]).toEqual([400, 'password must be at least 12 characters']);
    const answers = await Promise.all([choose(token), choose(token)]);
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 400]);
    await signIn(app, { ...person, password });
  });

  test('is replaced by the next one, and expires after a day', async () => {
    const { email } = await createPerson(app);
    const first = await reset(email);
    const second = await reset(email);
    expect(await refused(choose(first))).toEqual([400, 'password_link_not_valid']);
    minutesLater = 24 * 60 + 1;
    try {
      expect(await refused(post('/new-password', { token: second }))).toEqual([
        400,
        'password_link_not_valid',
      ]);
    } finally {
      minutesLater = 0;
    }
    expect((await choose(second)).status).toBe(200);
  });
});

test('a lost second factor is removed, and logged in each organization', async () => {
  const person = await openSession(app);
  const { email, userId, cookie, organizationId } = person;
  const other = await app.services.organizations.create('Other');
  await addMember(app, person, other.id, 'viewer');
  const { body } = await post('/two-factor/enable', { password: person.password }, cookie);
  await post('/two-factor/verify-totp', { code: totpCode(body.totpURI as string) }, cookie);
  expect((await post('/sign-in/email', person)).body.twoFactorRedirect).toBe(true);
  expect(await app.services.passwords.resetSecondFactor(email)).toEqual({ id: userId, email });
  expect((await post('/sign-in/email', person)).body.user.email).toBe(email);
  const rows = await query(
    app.databaseUrl,
    `SELECT organization_id FROM audit_entry WHERE action = 'user.reset_second_factor' AND subject = $1`,
    [userId],
  );
  expect(rows.map((row) => row['organization_id'])).toEqual([organizationId, other.id]);
});
