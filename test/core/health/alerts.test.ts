import { randomUUID } from 'node:crypto';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor, type PersonCaller } from '../../../src/core/base/caller.ts';
import { deliverWebhooks } from '../../support/deliver-webhooks.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { longTest } from '../../support/chance.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { type LiveOrganization, openLiveOrganization } from '../../support/live.ts';
import { type MailServer, startMailServer } from '../../support/mail-server.ts';
import { createPerson } from '../../support/people.ts';
import type { PspEmulator } from '../../support/psp-emulator/core.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import { receiverHost, startWebhookReceiver, type WebhookReceiver } from '../../support/webhook-receiver.ts';

let clock: Date;
let databaseUrl: string;
let app: TestApp;
let mail: MailServer;
let live: LiveOrganization;
let emulator: PspEmulator;
let credentialId: string;
let receiver: WebhookReceiver;

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  mail = await startMailServer();
  app = await startTestApp(
    {
      DATABASE_URL: databaseUrl,
      ROLE: 'api',
      WEBHOOK_ALLOWED_HOSTS: receiverHost,
      SMTP_URL: mail.url,
      SMTP_FROM: 'Pix <pix@example.com>',
      PUBLIC_URL: 'http://pix.example.com',
      TRUST_PROXY: '1',
    },
    { now: () => clock },
  );
});

beforeEach(async () => {
  live = await openLiveOrganization(app, () => clock, ['woovi', woovi]);
  const [account] = live.accounts;
  if (!account) throw new Error('there is one account');
  ({ emulator, credentialId } = account);
  receiver = await startWebhookReceiver();
  mail.behaviour = 'accept';
});

afterEach(async () => {
  await live.stop();
  await receiver.stop();
  await query(databaseUrl, 'UPDATE alert SET closed_at = now() WHERE closed_at IS NULL');
  await query(databaseUrl, 'UPDATE alert_email SET next_attempt_at = NULL');
  await query(databaseUrl, 'UPDATE credential SET enabled = false');
  mail.mails.length = 0;
});

afterAll(async () => {
  await app.stop();
  await mail.stop();
});

const passSeconds = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1_000);
};

async function goDown(): Promise<void> {
  await emulator.refuseConnections();
  for (let count = 0; count < 6; count++) await live.client.post('/v1/payments', { amount: 10 });
  await app.services.callRecorder.flush();
}

/** The look-ups of a check are answered; creations are over, so that only the outage is left to end. */
async function comeBack(): Promise<void> {
  await emulator.acceptConnections();
  passSeconds(20 * 60);
  await app.services.credentials.check(operatorFor(live.organizationId), credentialId);
  await app.services.callRecorder.flush();
}

const look = () => app.services.alertWatch.checkNext();

/** Two looks, a minute of nothing apart. */
async function lookTwice(): Promise<number> {
  await look();
  passSeconds(61);
  return look();
}

const send = () => app.services.alertMail.sendDue(10);

async function subscribe(events: string[]): Promise<void> {
  const operator = operatorFor(live.organizationId);
  await app.services.webhookEndpoints.create(operatorFor(live.organizationId, operator.mode), {
    url: receiver.url.replace('http:', 'https:'),
    events,
  });
  // Live endpoints need TLS, which the receiver has not.
  await query(databaseUrl, 'UPDATE webhook_endpoint SET url = $2 WHERE organization_id = $1', [
    live.organizationId,
    receiver.url,
  ]);
}

const deliver = () => deliverWebhooks(app.services.webhookSender);

interface Body {
  type: string;
  sequence: number;
  data: Record<string, unknown>;
}

const bodies = (): Body[] => receiver.requests.map(({ body }) => JSON.parse(body) as Body);

async function member(kinds: string[], language: 'pt' | 'en' = 'en') {
  const { organizationId } = live;
  const person = await createPerson(app, { organizationId, role: 'viewer' });
  const caller: PersonCaller = {
    kind: 'person',
    userId: person.userId,
    sessionId: person.userId,
    mustChangePassword: false,
    role: 'viewer',
    organizationId,
    mode: 'live',
  };
  await app.services.alertPreferences.set(caller, { kinds, language });
  return { ...person, caller };
}

test('a refund whose outcome its provider does not tell opens an alert after an hour, until it is settled', async () => {
  const { body } = await live.client.post('/v1/payments', { amount: 10 });
  const charge = emulator.ledger.charges[0];
  await emulator.pay(charge?.transactionId ?? '');
  await app.services.notifications.drain();
  emulator.ledger.decidesRefundsLater = true;
  await live.client.post(`/v1/payments/${body.id}/refunds`, { amount: 4 });
  const check = () => app.services.reconciliation.refund(100);
  const stuck = async () => {
    const alerts = await app.services.attention.alerts(operatorFor(live.organizationId), 20);
    return alerts.filter(({ kind, closedAt }) => kind === 'refunds_stuck' && !closedAt);
  };
  passSeconds(59 * 60);
  await check();
  await look();
  expect(await stuck()).toEqual([]);
  passSeconds(90 * 60);
  await check();
  await look();
  expect(await stuck()).toMatchObject([{ condition: { count: 1, paymentId: body.id } }]);
  for (const refund of charge?.refunds ?? []) refund.status = 'completed';
  passSeconds(90 * 60);
  await check();
  await lookTwice();
  expect(await stuck()).toEqual([]);
});

test('an outage opens one alert, however often nodes look, and closes it once it has been over for a minute', async () => {
  await subscribe(['ops_alert_opened', 'ops_alert_closed']);
  expect(await look()).toBe(0);
  await goDown();
  const opened = await Promise.all([look(), look(), look()]);
  expect(opened.reduce((sum, count) => sum + count)).toBe(2);
  expect(await look()).toBe(0);
  await deliver();
  expect(new Set(bodies().map(({ sequence }) => sequence))).toEqual(new Set([1, 2]));
  const outage = bodies().find(({ data }) => data['kind'] === 'provider_outage');
  expect(outage).toMatchObject({
    type: 'ops_alert_opened',
    data: {
      mode: 'live',
      severity: 'critical',
      subject: { id: credentialId, name: 'woovi' },
      count: 6,
      share: 1,
      openedAt: clock.toISOString(),
      url: `http://pix.example.com/dashboard/${live.organizationId}/live/health/${credentialId}`,
    },
  });
  await comeBack();
  expect(await look()).toBe(0);
  passSeconds(30);
  expect(await look()).toBe(0);
  passSeconds(31);
  expect(await look()).toBe(2);
  await deliver();
  const closed = bodies().filter(({ type }) => type === 'ops_alert_closed');
  expect(new Map(closed.map(({ data }) => [data['kind'], data['closedAt']]))).toEqual(
    new Map([
      ['creations_failing', clock.toISOString()],
      ['provider_outage', clock.toISOString()],
    ]),
  );
  expect(new Set(closed.map(({ sequence }) => sequence))).toEqual(new Set([3, 4]));
});

test('endpoints that get all events get those of payments, which alerts leave without gaps', async () => {
  await subscribe([]);
  await goDown();
  expect(await look()).toBe(2);
  expect(await deliver()).toBe(0);
  await query(
    databaseUrl,
    `UPDATE webhook_endpoint SET events = '{ops_alert_closed}' WHERE organization_id = $1`,
    [live.organizationId],
  );
  await comeBack();
  await lookTwice();
  await deliver();
  expect(bodies().map(({ type, sequence }) => [type, sequence])).toEqual([
    ['ops_alert_closed', 1],
    ['ops_alert_closed', 2],
  ]);
  const { body } = await live.client.get('/v1/events');
  expect(body.data).toEqual([]);
  await query(databaseUrl, `UPDATE webhook_endpoint SET events = '{}' WHERE organization_id = $1`, [
    live.organizationId,
  ]);
  const [endpoint] = await app.services.webhookEndpoints.list(operatorFor(live.organizationId));
  const resent = await app.services.webhookDeliveries.resendSince(
    operatorFor(live.organizationId),
    endpoint?.id ?? '',
    new Date(clock.getTime() - 3_600_000),
  );
  expect(resent).toBe(0);
});

test('people get an e-mail of the kinds they chose, in their language, without payer data', async () => {
  const ana = await member(['provider_outage']);
  const joao = await member(['provider_outage', 'books_open'], 'pt');
  await member(['books_open']);
  await goDown();
  await look();
  expect(await send()).toBe(2);
  expect(await send()).toBe(0);
  expect(mail.mails.map(({ to }) => to)).toEqual(expect.arrayContaining([[ana.email], [joao.email]]));
  const toAna = mail.mails.find(({ to }) => to[0] === ana.email)?.raw ?? '';
  expect(toAna).toContain('From: Pix <pix@example.com>');
  expect(toAna).toMatch(/Subject: \[Test [^\]]+\] Alert: Provider\s+down\s+\(woovi\)/);
  const decoded = decodeQuotedPrintable(toAna);
  expect(decoded).toContain('the provider has not responded since');
  expect(decoded).toContain(
    `http://pix.example.com/dashboard/${live.organizationId}/live/health/${credentialId}`,
  );
  const toJoao = decodeQuotedPrintable(mail.mails.find(({ to }) => to[0] === joao.email)?.raw ?? '');
  expect(toJoao).toContain('o provedor não responde');
  await comeBack();
  await lookTwice();
  await send();
  expect(mail.mails).toHaveLength(4);
  expect(mail.mails.filter(({ raw }) => raw.includes('Resolved'))).toHaveLength(1);
});

const decodeQuotedPrintable = (raw: string): string =>
  Buffer.from(
    raw
      .replace(/=\r\n/g, '')
      .replace(/=([0-9A-F]{2})/g, (_, hex: string) => String.fromCharCode(parseInt(hex, 16))),
    'latin1',
  ).toString();

describe('of disputes without an answer', () => {
  const hourMs = 3_600_000;

  async function dispute(hours: number): Promise<string> {
    const id = randomUUID();
    const { body } = await live.client.post('/v1/payments', { amount: 10 });
    await query(
      databaseUrl,
      `INSERT INTO dispute (id, organization_id, mode, payment_id, psp_reference, state, amount_in_cents, defence_until,
         created_at)
       VALUES ($1, $2, 'live', $3, 'D', 'open', 1000, $4, $5)`,
      [id, live.organizationId, body.id, new Date(clock.getTime() + hours * hourMs), clock],
    );
    return id;
  }

  async function mailsAfter(hours: number): Promise<number> {
    passSeconds(hours * 3_600);
    await look();
    await look();
    return send();
  }

  test('e-mails come 48, 24 and 6 hours before the deadline, and for one that comes to be known later', async () => {
    await member(['disputes_due']);
    const id = await dispute(50);
    expect(await mailsAfter(1)).toBe(0);
    expect(await mailsAfter(1)).toBe(1);
    expect(await mailsAfter(20)).toBe(0);
    expect(await mailsAfter(4)).toBe(1);
    passSeconds(60);
    const late = await dispute(23);
    expect(await mailsAfter(1)).toBe(1);
    expect(decodeQuotedPrintable(mail.mails.at(-1)?.raw ?? '')).toMatch(
      /2 disputes without an answer: the first deadline is /,
    );
    // The marks of both have passed by then.
    expect(await mailsAfter(17)).toBe(1);
    await query(databaseUrl, 'UPDATE dispute SET answer = $2 WHERE id = $1', [late, 'defence']);
    expect(await mailsAfter(4)).toBe(0);
    await query(databaseUrl, 'UPDATE dispute SET answer = $2 WHERE id = $1', [id, 'defence']);
    expect(await mailsAfter(0)).toBe(0);
    expect(await mailsAfter(1)).toBe(1);
    expect(mail.mails.at(-1)?.raw).toContain('Resolved');
  });
});

test('a mail server that refuses is tried again later, one time for one e-mail', async () => {
  const { userId } = await member(['provider_outage']);
  await goDown();
  await look();
  mail.behaviour = 'refuse';
  expect(await send()).toBe(1);
  expect(mail.mails).toEqual([]);
  const row = async () => {
    const [email] = await query<{ attempts: number; sent: Date | null; next: Date | null }>(
      databaseUrl,
      'SELECT attempt_count AS attempts, sent_at AS sent, next_attempt_at AS next FROM alert_email WHERE user_id = $1',
      [userId],
    );
    return email;
  };
  expect(await row()).toMatchObject({ attempts: 1, sent: null });
  mail.behaviour = 'accept';
  expect(await send()).toBe(0);
  passSeconds(10);
  expect(await Promise.all([send(), send()])).toEqual(expect.arrayContaining([1, 0]));
  expect(mail.mails).toHaveLength(1);
  expect(await row()).toMatchObject({ attempts: 2, sent: clock, next: null });
});

test('an alert that is over before its e-mail could be sent is told first, and then its end', async () => {
  await member(['provider_outage']);
  await goDown();
  await look();
  mail.behaviour = 'refuse';
  expect(await send()).toBe(1);
  await comeBack();
  await lookTwice();
  mail.behaviour = 'accept';
  passSeconds(60);
  while ((await send()) > 0);
  expect(mail.mails.map(({ raw }) => raw.includes('Resolved'))).toEqual([false, true]);
});

test('whoever has left, or changed their mind, gets no e-mail that waits', async () => {
  const leaver = await member(['provider_outage']);
  const changer = await member(['provider_outage']);
  await goDown();
  await look();
  await app.services.members.remove(operatorFor(live.organizationId), leaver.userId);
  await app.services.alertPreferences.set(changer.caller, { kinds: [], language: 'pt' });
  expect(await send()).toBe(2);
  passSeconds(86_400);
  expect(await send()).toBe(0);
  expect(mail.mails).toEqual([]);
});

longTest('a mail server that hangs is given up, and payments go on meanwhile', async () => {
  await member(['provider_outage']);
  await goDown();
  await look();
  mail.behaviour = 'hang';
  const sending = send();
  await emulator.acceptConnections();
  const { status } = await live.client.get('/v1/payments');
  expect(status).toBe(200);
  expect(await sending).toBe(1);
  mail.behaviour = 'accept';
  passSeconds(10);
  expect(await send()).toBe(1);
  expect(mail.mails).toHaveLength(1);
});

test('only people choose alerts, of kinds that exist', async () => {
  const { caller } = await member([]);
  const { alertPreferences } = app.services;
  await expect(
    alertPreferences.set(caller, { kinds: ['no_default_credential'], language: 'pt' }),
  ).rejects.toThrow(/kinds/);
  await expect(alertPreferences.get(operatorFor(live.organizationId))).rejects.toMatchObject({
    code: 'permission_denied',
  });
  expect(await alertPreferences.get(caller)).toEqual({ kinds: [], sendsEmail: true });
});
