import { execFile, spawn } from 'node:child_process';
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newWebhookSecret, signatureHeaders } from '../../src/webhook-client/sign.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { type LossyLink, startLossyLink } from '../support/lossy-link.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../packages/python');
let app: TestApp;
let link: LossyLink;
let project: string;
let blocks: string[];

beforeAll(async () => {
  app = await startTestApp();
  link = await startLossyLink(app.baseUrl);
  project = await mkdtemp(join(tmpdir(), 'shop-'));
  await copyFile(join(root, 'pix_service.py'), join(project, 'pix_service.py'));
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  blocks = [...readme.matchAll(/```python\n([^]*?)```/g)].map(([, code = '']) => code);
});

afterAll(async () => {
  link.stop();
  await app.stop();
  await rm(project, { recursive: true, force: true });
});

afterEach(() => {
  link.faults.length = 0;
  link.requests.length = 0;
});

async function python(code: string, env: Record<string, string> = {}): Promise<string> {
  const { stdout } = await run('python3', ['-c', code], { cwd: project, env: { ...process.env, ...env } });
  return stdout;
}

/** Runs lines that have a client, `pix`. */
async function withClient(code: string, permissions?: string[]): Promise<unknown> {
  const { key } = await createKey(app.services, permissions && { permissions });
  const before = `import json, pix_service\nfrom decimal import Decimal\npix = pix_service.Pix("${key}", "${link.url}")\n`;
  return JSON.parse(await python(`${before}${code}`));
}

describe('the module', () => {
  it('runs its quick start', async () => {
    const { key } = await createKey(app.services);
    const env = { PIX_API_KEY: key, PIX_URL: app.baseUrl };
    expect(await python(blocks[0] ?? '', env)).toMatch(/^000201.*\ncompleted\n$/);
    expect(await python(blocks[1] ?? '', env)).toMatch(/^order-1042 19.9\npayment_not_found [0-9a-f]{32}\n$/);
  });

  it('manages webhook endpoints', async () => {
    const code = `
made = pix.create_webhook_endpoint({"url": "https://shop.example.com/pix"})
id = made["id"]
assert made["secret"].startswith("whsec_")
assert [each["id"] for each in pix.webhook_endpoints()] == [id]
assert pix.update_webhook_endpoint(id, {"name": "Shop"})["name"] == "Shop"
assert not pix.disable_webhook_endpoint(id)["enabled"]
assert pix.enable_webhook_endpoint(id)["enabled"]
assert pix.rotate_webhook_secret(id)["secret"] != made["secret"]
assert "error" in pix.test_webhook_endpoint(id)
assert pix.webhook_endpoint(id)["name"] == "Shop"
pix.delete_webhook_endpoint(id)
print(json.dumps(pix.webhook_endpoints()))`;
    expect(await withClient(code, ['webhooks:manage'])).toEqual([]);
  });

  it('changes payments with a due date, and makes batches', async () => {
    const code = `
owed = pix.create_payment({"amount": 10, "payer": {"name": "João Souza", "document": "52998224725"}, "due": {"date": "2030-01-31"}})
assert pix.update_payment(owed["id"], {"revision": 0, "amount": 12})["revision"] == 1
assert owed["id"] in [payment["id"] for payment in pix.payments(dueFrom="2030-01-31", overdue=False)]
batch = pix.create_batch({"payments": [{"amount": 1}]})
assert len(pix.batch(batch["id"])["items"]) == 1
print(json.dumps(True))`;
    expect(await withClient(code)).toBe(true);
  });

  it('asks for a recurrence, makes its debit, retries that and ends it', async () => {
    const code = `
from datetime import datetime, timedelta, timezone
def day_after(days):
  return (datetime.now(timezone(timedelta(hours=-3))) + timedelta(days=days)).strftime("%Y-%m-%d")
def code_of(call):
  try:
    call()
  except pix_service.ApiError as error:
    return error.code
recurrence = pix.create_recurrence({
  "payer": {"name": "João Souza", "document": "52998224725"},
  "contract": "63100862",
  "frequency": "monthly",
  "startDate": day_after(7),
  "retries": "three_in_seven_days",
  "authorization": "qr",
})
id = recurrence["id"]
debit = {"amount": Decimal("5.1"), "dueDate": day_after(8)}
assert code_of(lambda: pix.charge_recurrence(id, debit)) == "recurrence_not_active"
pix.sandbox_approve_recurrence(id)
charged = pix.charge_recurrence(id, debit)
assert code_of(lambda: pix.retry_payment(charged["id"], day_after(10))) == "payment_not_retriable"
pix.sandbox_answer_debit(charged["id"], "limit")
retried = pix.retry_payment(charged["id"], day_after(10))
assert retried["debit"]["attempts"][1]["on"] == day_after(10)
print(json.dumps({
  "amount": str(charged["amount"]),
  "payments": [payment["id"] for payment in pix.recurrence_payments(id)] == [charged["id"]],
  "cancelled": pix.cancel_recurrence(id)["endedBy"],
  "read": pix.recurrence(id)["status"],
  "active": list(pix.recurrences(status="active")),
  "listed": [each["id"] for each in pix.recurrences(limit=1)] == [id],
}))`;
    expect(await withClient(code)).toEqual({
      amount: '5.1',
      payments: true,
      cancelled: 'receiver',
      read: 'cancelled',
      active: [],
      listed: true,
    });
  });

  it('refunds, cancels and lists, with exact amounts', async () => {
    const code = `
ids = [pix.create_payment({"amount": Decimal("0.1")})["id"] for _ in range(3)]
pix.sandbox_pay(ids[0])
pix.refund_payment(ids[0], Decimal("0.03"), reason="damaged")
pix.cancel_payment(ids[1])
print(json.dumps({
  "listed": [payment["id"] for payment in pix.payments(limit=2)] == ids[::-1],
  "refunds": [str(refund["amount"]) for refund in pix.refunds(ids[0])],
  "listed_refunds": [refund["paymentId"] for refund in pix.list_refunds(search=ids[0])] == ids[:1],
  "events": [[event["sequence"], event["type"]] for event in pix.events(after=1)],
  "token": pix.payment_token(ids[2])["token"][:3],
}))`;
    expect(await withClient(code)).toEqual({
      listed: true,
      refunds: ['0.03'],
      listed_refunds: true,
      events: [
        [2, expect.any(String)],
        [3, expect.any(String)],
      ],
      token: 'pt_',
    });
  });

  it('makes a link, and follows what is requested with its key', async () => {
    const code = `
pix._base_url = "${app.baseUrl}"
stream = pix.requests()
first = next(stream)["event"]
link = pix.create_payment_link({"amount": 5})
seen = next(each for each in stream if each["event"] == "request")
print(json.dumps({
  "seen": [first, seen["data"]["path"]],
  "read": pix.payment_link(link["id"])["status"],
  "payments": list(pix.payment_link_payments(link["id"])),
  "listed": [each["id"] == link["id"] for each in pix.payment_links(state="open")],
  "ended": pix.deactivate_payment_link(link["id"])["status"],
}))`;
    expect(await withClient(code)).toEqual({
      seen: ['scope', '/v1/payment-links'],
      read: 'active',
      payments: [],
      listed: [true],
      ended: 'deactivated',
    });
  });

  it('plays the payer, and the clock', async () => {
    const code = `
id = pix.create_payment({"amount": 10})["id"]
pix.sandbox_pay(id, payer={"name": "Ana"})
print(json.dumps([
  pix.sandbox_dispute(id, amount=4)["disputed"],
  pix.sandbox_close_dispute(id, "won")["status"],
  str(pix.sandbox_reverse(id, amount=3)["amountReversed"]),
  str(pix.sandbox_receive_pix(1)["amount"]),
  pix.sandbox_clock()["isMoved"],
  pix.sandbox_advance_clock("PT1H")["isMoved"],
  pix.sandbox_reset_clock()["isMoved"],
]))`;
    expect(await withClient(code)).toEqual([true, 'completed', '3', '1', false, true, false]);
  });

  it('creates one payment when the response is lost', async () => {
    link.faults.push('lose');
    const code = `payment = pix.create_payment({"amount": 3})
print(json.dumps([each["id"] == payment["id"] for each in pix.payments()]))`;
    expect(await withClient(code)).toEqual([true]);
    expect(link.requests.filter((request) => request === 'POST /v1/payments')).toHaveLength(2);
  });

  it('sends again when the service says, but does not wait for hours', async () => {
    link.faults.push(
      { status: 503, headers: { 'Retry-After': '0' } },
      { status: 429, headers: { 'Retry-After': '3600' } },
    );
    const code = `try:
  pix.create_payment({"amount": 3})
except pix_service.RateLimitError as error:
  print(json.dumps([error.retry_after, error.code]))`;
    expect(await withClient(code)).toEqual([3600, 'unknown']);
    expect(link.requests).toHaveLength(2);
  });

  it('follows no redirect with the key', async () => {
    link.faults.push({ status: 302, headers: { Location: `${link.url}/elsewhere` } });
    const code = `try:
  pix.payment("01936f2a-5b7c-7000-8000-000000000000")
except pix_service.ApiError as error:
  print(json.dumps(error.status))`;
    expect(await withClient(code)).toBe(302);
    expect(link.requests).toHaveLength(1);
  });

  it('never pays twice in the sandbox', async () => {
    const code = `id = pix.create_payment({"amount": 3})["id"]
try:
  pix.sandbox_pay(id)
except pix_service.ConnectionFailed:
  print(json.dumps([event["type"] for event in pix.events()]))`;
    link.faults.push('none', 'lose');
    expect(await withClient(code)).toEqual(['payment_completed']);
  });

  it('raises a class for each error', async () => {
    const code = `
def failure(call):
  try:
    call()
  except pix_service.ApiError as error:
    return [type(error).__name__, error.code, len(error.trace_id), error.help_url]
print(json.dumps([
  failure(lambda: pix.create_payment({"amount": 0})),
  failure(lambda: pix.payment("01936f2a-5b7c-7000-8000-000000000000")),
  failure(lambda: pix.refund_payment(pix.create_payment({"amount": 1})["id"])),
]))`;
    const helpOf = (name: string) => `${link.url}/docs/errors#${name}`;
    expect(await withClient(code)).toEqual([
      ['InvalidRequestError', 'invalid_request', 32, helpOf('invalid_request')],
      ['NotFoundError', 'payment_not_found', 32, helpOf('payment_not_found')],
      ['ConflictError', 'payment_not_refundable', 32, helpOf('payment_not_refundable')],
    ]);
  });
});

it('receives webhooks and refuses forged ones', async () => {
  const secret = newWebhookSecret();
  const port = await freePort();
  await writeFile(join(project, 'receiver.py'), blocks[2] ?? '');
  const env = { ...process.env, WEBHOOK_SECRET: secret, PORT: String(port) };
  const receiver = spawn('python3', ['receiver.py'], { cwd: project, env, stdio: 'ignore' });
  try {
    const body = JSON.stringify({ id: 'e1', type: 'payment_completed', data: { id: 'p1' } });
    const sign = (secrets: string[], timestamp = new Date()) =>
      signatureHeaders({ id: 'e1', timestamp, body, secrets });
    const post = async (headers: Record<string, string>, sent = body) =>
      (await fetch(`http://127.0.0.1:${port}`, { method: 'POST', headers, body: sent })).status;
    expect(await eventually(() => post(sign([newWebhookSecret(), secret])))).toBe(204);
    expect(await post(sign([secret]), body.replace('p1', 'p2'))).toBe(401);
    expect(await post(sign([newWebhookSecret()]))).toBe(401);
    expect(await post(sign([secret], new Date(Date.now() - 3_600_000)))).toBe(401);
    expect(await post({ ...sign([secret]), 'webhook-timestamp': 'soon' })).toBe(401);
    expect(await post({ ...sign([secret]), 'webhook-timestamp': '²' })).toBe(401);
    expect(await post({})).toBe(401);
  } finally {
    receiver.kill();
  }
});

it('verifies webhooks whatever form the headers have, and asks for what was signed', async () => {
  const secret = newWebhookSecret();
  const body = JSON.stringify({ id: 'e1' });
  const headers = signatureHeaders({ id: 'e1', timestamp: new Date(), body, secrets: [secret] });
  const code = `import json
from pix_service import verify_webhook
body, headers, secret = json.loads(${JSON.stringify(JSON.stringify([body, headers, secret]))})
def verify(body, headers):
  try:
    return verify_webhook(body, headers, secret)["id"]
  except TypeError as error:
    return str(error)[:37]
print(json.dumps([
  verify(body, {name.upper(): [value] for name, value in headers.items()}),
  verify(bytearray(body.encode()), [(name.encode(), value.encode()) for name, value in headers.items()]),
  verify(json.loads(body), headers),
]))`;
  expect(JSON.parse(await python(code))).toEqual(['e1', 'e1', 'body must be the raw bytes of the req']);
});
