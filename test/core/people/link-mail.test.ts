import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { longTest } from '../../support/chance.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { mailedLink, type MailServer, readable, startMailServer } from '../../support/mail-server.ts';
import { createPerson, openSession, postSignIn, tokenOf } from '../../support/people.ts';

let databaseUrl: string;
let app: TestApp;
let mail: MailServer;
let clock: Date;

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  mail = await startMailServer();
  const settings = { SMTP_URL: mail.url, SMTP_FROM: 'Pix <pix@example.com>', TRUST_PROXY: '1' };
  app = await startTestApp({ ...settings, DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

beforeEach(async () => {
  mail.behaviour = 'accept';
  mail.mails.length = 0;
  await query(databaseUrl, 'DELETE FROM link_email');
});

afterAll(async () => {
  await app.stop();
  await mail.stop();
});

const send = () => app.services.linkMail.sendDue(5);

const passSeconds = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1_000);
};

const waiting = async () => (await query(databaseUrl, 'SELECT * FROM link_email')).length;

async function invite() {
  const owner = await openSession(app);
  const email = `${randomUUID()}@example.com`;
  const text = `mutation ($email: String!) {
    inviteMember(email: $email, role: viewer) { url isEmailed invitation { id invitedBy } } }`;
  const { body } = await owner.client.graphql(text, { email });
  expect(body.errors).toBeUndefined();
  const { url, isEmailed, invitation } = body.data.inviteMember;
  return { owner, email, url: url as string, isEmailed, invitation };
}

describe('an invitation', () => {
  test('is sent once the mail server takes it, and lies readable nowhere until then', async () => {
    mail.behaviour = 'refuse';
    const { email, url, isEmailed, invitation } = await invite();
    expect(isEmailed).toBe(true);
    // Whoever invites gets no more than the address of the page.
    expect(url).toMatch(/\/dashboard\/invitation\/$/);
    await send();
    const [row] = await query<Record<string, unknown>>(databaseUrl, 'SELECT * FROM link_email');
    expect(row).toMatchObject({ id: invitation.id, attempt_count: 1 });
    const stored = JSON.stringify(row);
    expect(stored).not.toContain(email);
    mail.behaviour = 'accept';
    expect(await send()).toBe(0);
    passSeconds(10);
    await Promise.all([send(), send()]);
    expect(mail.mails.map(({ to }) => to)).toEqual([[email]]);
    const text = readable(mail.mails[0]?.raw ?? '');
    expect(text).toMatch(/\/dashboard\/invitation\/#[\w-]{43}/);
    expect(stored).not.toContain(tokenOf(mailedLink(mail, email)));
    expect(text).toContain(`${invitation.invitedBy} convidou você`);
    expect(text).toContain(`${invitation.invitedBy} has invited you`);
    expect(await waiting()).toBe(0);
  });

  longTest('is not sent any more once it was revoked or accepted', async () => {
    mail.behaviour = 'refuse';
    const revoked = await invite();
    const accepted = await app.services.invitations.invite(operatorFor(revoked.owner.organizationId), {
      email: `${randomUUID()}@example.com`,
      role: 'viewer',
    });
    await send();
    const { client } = revoked.owner;
    await client.graphql('mutation ($id: ID!) { revokeInvitation(id: $id) }', { id: revoked.invitation.id });
    const answer = await postSignIn(app, '/invitation/accept', {
      token: tokenOf(accepted.url),
      name: 'Beltrana',
      password: 'a password of my own',
    });
    expect(answer.status).toBe(200);
    mail.behaviour = 'accept';
    passSeconds(10);
    expect(await send()).toBe(2);
    expect(mail.mails).toEqual([]);
    expect(await waiting()).toBe(0);
  });

  longTest('is written in the language that the inviter has chosen', async () => {
    const owner = await openSession(app);
    await owner.client.graphql(
      'mutation { setAlertPreferences(input: { kinds: [], language: en }) { kinds } }',
    );
    const text = 'mutation ($email: String!) { inviteMember(email: $email, role: viewer) { url } }';
    await owner.client.graphql(text, { email: `${randomUUID()}@example.com` });
    await send();
    const raw = readable(mail.mails[0]?.raw ?? '');
    expect(raw).toContain('has invited you');
    expect(raw).not.toContain('convidou');
  });
});

test('the link of an approved invitation goes to the invitee alone', async () => {
  const requester = await openSession(app, { mode: 'live' });
  const { organizationId } = requester;
  const approver = await openSession(app, { organizationId, mode: 'live' });
  await app.services.organizationSettings.update(operatorFor(organizationId), { changesNeedApproval: true });
  const email = `${randomUUID()}@example.com`;
  const text = `mutation ($email: String!) { inviteMember(email: $email, role: owner) { url } }`;
  const asked = await requester.client.graphql(text, { email });
  const id = asked.body.errors[0].extensions.approvalRequestId as string;
  const approve = 'mutation ($id: ID!) { approveRequest(id: $id) { secret request { status } } }';
  const { body } = await approver.client.graphql(approve, { id });
  expect(body.data.approveRequest).toEqual({ secret: null, request: { status: 'approved' } });
  await send();
  expect(mail.mails.map(({ to }) => to)).toEqual([[email]]);
  expect(readable(mail.mails[0]?.raw ?? '')).toMatch(/\/dashboard\/invitation\/#[\w-]{43}/);
});

describe('a forgotten password', () => {
  const forget = (email: string) => postSignIn(app, '/forgot-password', { email });

  const begin = async (email: string) => {
    const { status, body } = await forget(email);
    await app.services.passwordRecovery.drain();
    return { status, body };
  };

  test('is answered the same for every address, and changes nothing until the link is used', async () => {
    const { email, password } = await createPerson(app, { role: 'viewer' });
    const unknown = await begin(`${randomUUID()}@example.com`);
    expect(await waiting()).toBe(0);
    expect(await begin(email.toUpperCase())).toEqual(unknown);
    expect(await begin(email)).toEqual(unknown);
    await send();
    expect(mail.mails.map(({ to }) => to)).toEqual([[email]]);
    expect((await postSignIn(app, '/sign-in/email', { email, password })).status).toBe(200);
    const [, token] = /#([\w-]{43})/.exec(readable(mail.mails[0]?.raw ?? '')) ?? [];
    const chosen = 'another password of mine';
    const choice = await postSignIn(app, '/new-password/choose', { token, password: chosen });
    expect(choice.status).toBe(200);
    expect((await postSignIn(app, '/sign-in/email', { email, password })).status).toBe(401);
    expect((await postSignIn(app, '/sign-in/email', { email, password: chosen })).status).toBe(200);
    expect((await postSignIn(app, '/new-password/choose', { token, password: chosen })).status).toBe(400);
  });

  test('does not end the link of the operator, whoever asks', async () => {
    const { email } = await createPerson(app);
    const { url } = await app.services.passwords.reset(email);
    passSeconds(600);
    await begin(email);
    expect(await waiting()).toBe(0);
    const choice = { token: tokenOf(url), password: 'a password of my own' };
    expect((await postSignIn(app, '/new-password/choose', choice)).status).toBe(200);
  });

  test('is not replaced by a link from before it was changed', async () => {
    const { email, password, cookie } = await openSession(app);
    await begin(email);
    await send();
    const [, token] = /#([\w-]{43})/.exec(readable(mail.mails[0]?.raw ?? '')) ?? [];
    const body = { currentPassword: password, newPassword: 'another password' };
    const changed = await postSignIn(app, '/change-password', body, { Cookie: cookie });
    expect(changed.status).toBe(200);
    const choice = await postSignIn(app, '/new-password/choose', { token, password: 'a password of theirs' });
    expect([choice.status, choice.headers.get('x-error-code')]).toEqual([400, 'password_link_not_valid']);
  });

  longTest('can be tried as often as signing in', async () => {
    const email = `${randomUUID()}@example.com`;
    const statuses: number[] = [];
    for (let count = 0; count < 31; count++) statuses.push((await forget(email)).status);
    expect(new Set(statuses.slice(0, 30))).toEqual(new Set([202]));
    expect(statuses.at(-1)).toBe(429);
  });
});
