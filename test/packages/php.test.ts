import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer as createHttpServer } from 'node:http';
import { createServer as createHttpsServer } from 'node:https';
import type { AddressInfo, Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { newWebhookSecret, signatureHeaders } from '../../src/webhook-client/sign.ts';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createAuthority } from '../support/certificates.ts';
import { eventually } from '../support/eventually.ts';
import { createKey } from '../support/factories.ts';
import { freePort } from '../support/free-port.ts';
import { type LossyLink, startLossyLink } from '../support/lossy-link.ts';

const run = promisify(execFile);
const root = resolve(import.meta.dirname, '../../packages/php');
const autoload = `require ${JSON.stringify(join(root, 'autoload.php'))};`;
const isThere = spawnSync('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0;
if (!isThere) console.warn('php with cURL is missing: packages/php was not run');
const describeIfThere = isThere ? describe : describe.skip;

let app: TestApp;
let link: LossyLink;
let project: string;
let blocks: string[];

beforeAll(async () => {
  app = await startTestApp();
  link = await startLossyLink(app.baseUrl);
  project = await mkdtemp(join(tmpdir(), 'shop-'));
  const readme = await readFile(join(root, 'README.md'), 'utf8');
  blocks = [...readme.matchAll(/```php\n<\?php\n([^]*?)```/g)].map(([, code = '']) => code);
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

const asInstalled = (code: string): string => code.replace("require 'vendor/autoload.php';", autoload);

/** A careless host has such a php.ini. */
const options = ['-d', 'display_errors=stderr', '-d', 'serialize_precision=17', '-d', 'error_reporting=-1'];

async function php(code: string, env: Record<string, string> = {}): Promise<string> {
  const source = asInstalled(code);
  const { stdout, stderr } = await run('php', [...options, '-r', source], {
    env: { ...process.env, ...env },
  });
  expect(stderr).toBe('');
  return stdout;
}

/** Runs lines that have a client, `$pix`, and return something. */
async function withClient(code: string, permissions?: string[]): Promise<unknown> {
  const { key } = await createKey(app.services, permissions && { permissions });
  const before = `require 'vendor/autoload.php'; use PixService as P; $pix = new P\\Pix("${key}", "${link.url}");`;
  return JSON.parse(await php(`${before} echo json_encode((function () use ($pix) {${code}})());`));
}

describeIfThere('the package', () => {
  it('runs its quick start', async () => {
    const { key } = await createKey(app.services);
    const env = { PIX_API_KEY: key, PIX_URL: app.baseUrl };
    expect(await php(blocks[0] ?? '', env)).toMatch(/^000201.*\ncompleted\n$/);
    expect(await php(blocks[1] ?? '', env)).toMatch(/^order-1042 19.9\npayment_not_found [0-9a-f]{32}\n$/);
  });

  it('manages webhook endpoints', async () => {
    const code = `
      $made = $pix->createWebhookEndpoint(['url' => 'https://shop.example.com/pix']);
      $id = $made['id'];
      return [
        str_starts_with($made['secret'], 'whsec_'),
        array_column($pix->webhookEndpoints(), 'id') === [$id],
        $pix->updateWebhookEndpoint($id, ['name' => 'Shop'])['name'],
        $pix->disableWebhookEndpoint($id)['enabled'],
        $pix->enableWebhookEndpoint($id)['enabled'],
        $pix->rotateWebhookSecret($id)['secret'] === $made['secret'],
        isset($pix->testWebhookEndpoint($id)['error']),
        $pix->webhookEndpoint($id)['name'],
        $pix->deleteWebhookEndpoint($id),
        $pix->webhookEndpoints(),
      ];`;
    const expected = [true, true, 'Shop', false, true, false, true, 'Shop', null, []];
    expect(await withClient(code, ['webhooks:manage'])).toEqual(expected);
  });

  it('asks for a recurrence, makes its debit, retries that and ends it', async () => {
    const code = `
      $dayAfter = fn (int $days) => (new DateTime("+$days days", new DateTimeZone('-03:00')))->format('Y-m-d');
      $id = $pix->createRecurrence([
        'payer' => ['name' => 'João Souza', 'document' => '52998224725'],
        'contract' => '63100862',
        'frequency' => 'monthly',
        'startDate' => $dayAfter(7),
        'retries' => 'three_in_seven_days',
        'authorization' => 'qr',
      ])['id'];
      $pix->sandboxApproveRecurrence($id);
      $charged = $pix->chargeRecurrence($id, ['amount' => 5.1, 'dueDate' => $dayAfter(8)]);
      $pix->sandboxAnswerDebit($charged['id'], 'limit');
      return [
        $charged['amount'],
        $pix->retryPayment($charged['id'], $dayAfter(10))['debit']['attempts'][1]['on'] === $dayAfter(10),
        array_column(iterator_to_array($pix->recurrencePayments($id)), 'id') === [$charged['id']],
        $pix->cancelRecurrence($id)['endedBy'],
        $pix->recurrence($id)['status'],
        iterator_to_array($pix->recurrences(['status' => 'active'])),
      ];`;
    expect(await withClient(code)).toEqual([5.1, true, true, 'receiver', 'cancelled', []]);
  });

  it('changes, refunds, cancels and lists, with exact amounts', async () => {
    const code = `
      $make = fn () => $pix->createPayment(['amount' => 0.1])['id'];
      $ids = [$make(), $make(), $make()];
      $pix->sandboxPay($ids[0]);
      $pix->refundPayment($ids[0], 0.03, reason: 'damaged');
      $pix->cancelPayment($ids[1]);
      return [
        array_column(iterator_to_array($pix->payments(['limit' => 2]), false), 'id') === array_reverse($ids),
        array_column(iterator_to_array($pix->refunds($ids[0])), 'amount'),
        array_column(iterator_to_array($pix->listRefunds(['search' => $ids[0]])), 'paymentId') === [$ids[0]],
        array_column(iterator_to_array($pix->payments(['refunded' => true])), 'id') === [$ids[0]],
        array_column(iterator_to_array($pix->events(after: 1)), 'sequence'),
        substr($pix->paymentToken($ids[2])['token'], 0, 3),
        $pix->updatePayment($ids[2], ['description' => 'Camiseta', 'metadata' => ['size' => 'M']])['description'],
        count($pix->batch($pix->createBatch(['payments' => [['amount' => 1]]])['id'])['items']),
        P\\Pix::centavos($pix->payment($ids[0])['amount']),
      ];`;
    expect(await withClient(code)).toEqual([true, [0.03], true, true, [2, 3], 'pt_', 'Camiseta', 1, 10]);
  });

  it('makes a link, and follows what is requested with its key', async () => {
    const { key } = await createKey(app.services);
    const code = `require 'vendor/autoload.php'; use PixService\\Pix; $pix = new Pix("${key}", "${app.baseUrl}");
      $seen = [];
      foreach ($pix->requests() as ['event' => $event, 'data' => $data]) {
        $seen[] = $event === 'request' ? $data['path'] : $event;
        if ($event === 'request') break;
        $link = $pix->createPaymentLink(['amount' => 5]);
      }
      echo json_encode([
        $seen,
        $pix->paymentLink($link['id'])['status'],
        iterator_to_array($pix->paymentLinkPayments($link['id'])),
        count(iterator_to_array($pix->paymentLinks(['state' => 'open']))),
        $pix->deactivatePaymentLink($link['id'])['status'],
      ]);`;
    const seen = ['scope', '/v1/payment-links'];
    expect(JSON.parse(await php(code))).toEqual([seen, 'active', [], 1, 'deactivated']);
  });

  it('plays the payer, and the clock', async () => {
    const code = `
      $id = $pix->createPayment(['amount' => 10])['id'];
      $pix->sandboxPay($id, payer: ['name' => 'Ana']);
      return [
        $pix->sandboxDispute($id, amount: 4)['disputed'],
        $pix->sandboxCloseDispute($id, 'won')['status'],
        $pix->sandboxReverse($id, amount: 3)['amountReversed'],
        $pix->sandboxReceivePix(1)['amount'],
        $pix->sandboxClock()['isMoved'],
        $pix->sandboxAdvanceClock('PT1H')['isMoved'],
        $pix->sandboxResetClock()['isMoved'],
      ];`;
    expect(await withClient(code)).toEqual([true, 'completed', 3, 1, false, true, false]);
  });

  it('creates one payment when the response is lost', async () => {
    link.faults.push('lose');
    const code = `$made = $pix->createPayment(['amount' => 3])['id'];
      return array_column(iterator_to_array($pix->payments()), 'id') === [$made];`;
    expect(await withClient(code)).toBe(true);
    expect(link.requests.filter((request) => request === 'POST /v1/payments')).toHaveLength(2);
  });

  it('sends again when the service says, but does not wait for hours', async () => {
    link.faults.push(
      { status: 503, headers: { 'Retry-After': '0' } },
      { status: 429, headers: { 'Retry-After': '3600' } },
    );
    const code = `try { $pix->createPayment(['amount' => 3]); }
      catch (P\\RateLimitError $error) { return [$error->retryAfter, $error->errorCode]; }`;
    expect(await withClient(code)).toEqual([3600, 'unknown']);
    expect(link.requests).toHaveLength(2);
  });

  it('says why there is no response, and tries once more at most what would last or fail again', async () => {
    const { privateKey, certificate } = createAuthority('Unknown').issue('127.0.0.1');
    const keys: unknown[] = [];
    const silent = createHttpServer(({ headers }) => void keys.push(headers['idempotency-key']));
    const unknown = createHttpsServer({ key: privateKey, cert: certificate }, () => keys.push('served'));
    let connections = 0;
    unknown.on('connection', () => (connections += 1));
    const portOf = async (server: Server): Promise<number> => {
      await once(server.listen(0, '127.0.0.1'), 'listening');
      return (server.address() as AddressInfo).port;
    };
    const urls = [`http://127.0.0.1:${await portOf(silent)}`, `https://127.0.0.1:${await portOf(unknown)}`];
    const said = await php(`require 'vendor/autoload.php'; use PixService as P;
      foreach (${JSON.stringify(urls)} as $url) {
        $pix = new P\\Pix('pk_test_1', $url, transport: new P\\CurlTransport(0.5));
        try { $pix->createPayment(['amount' => 1]); }
        catch (P\\ConnectionFailed $error) { echo $error->getMessage(), "\\n"; }
      }`);
    silent.close().closeAllConnections();
    unknown.close();
    expect(said).toMatch(/^No response from .*: Operation timed out .*\nNo response from .*certificate.*\n$/);
    expect(keys).toEqual([expect.stringMatching(/^\w{32}$/), keys[0]]);
    expect(connections).toBe(1);
  });

  it('follows no redirect with the key', async () => {
    link.faults.push({ status: 302, headers: { Location: `${link.url}/elsewhere` } });
    const code = `try { $pix->payment('01936f2a-5b7c-7000-8000-000000000000'); }
      catch (P\\ApiError $error) { return $error->status; }`;
    expect(await withClient(code)).toBe(302);
    expect(link.requests).toHaveLength(1);
  });

  it('sends no header that a key does not have, and no request without its key', async () => {
    const refused = await withClient(String.raw`
      $says = static function (callable $call): string {
        try {
          $call();
        } catch (InvalidArgumentException $error) {
          return $error->getMessage();
        }
        return 'sent';
      };
      $pays = static fn (string $key) => static fn () => $pix->createPayment(['amount' => 1], $key);
      return [
        ...array_map(static fn (string $key) => $says($pays($key)), ["order\r\nX-Forwarded-For: 8.8.8.8", "order\n", '', ' ']),
        $says(static fn () => new P\Pix("pk_test_1\n", 'http://localhost:3000')),
        $says(static fn () => new P\Pix("pk_test_1\r\nHost: else", 'http://localhost:3000')),
      ];`);
    const rule = 'idempotencyKey must be 1 to 255 printable ASCII characters';
    const ofKey = 'apiKey must be pk_test_… or pk_live_…';
    expect(refused).toEqual([rule, rule, rule, rule, ofKey, ofKey]);
    expect(link.requests).toEqual([]);
  });

  it('never pays twice in the sandbox', async () => {
    const code = `$id = $pix->createPayment(['amount' => 3])['id'];
      try { $pix->sandboxPay($id); }
      catch (P\\ConnectionFailed) { return array_column(iterator_to_array($pix->events()), 'type'); }`;
    link.faults.push('none', 'lose');
    expect(await withClient(code)).toEqual(['payment_completed']);
  });

  it('throws a class for each error, and shows the key to nobody', async () => {
    const code = `
      $failure = function (callable $call) {
        try { $call(); }
        catch (P\\ApiError $error) {
          if (str_contains((string) $error, 'pk_test_')) return 'the key is in the trace';
          return [get_class($error), $error->errorCode, strlen((string) $error->traceId), $error->helpUrl];
        }
      };
      return [
        $failure(fn () => $pix->createPayment(['amount' => 0])),
        $failure(fn () => $pix->payment('01936f2a-5b7c-7000-8000-000000000000')),
        $failure(fn () => $pix->refundPayment($pix->createPayment(['amount' => 1])['id'])),
        $failure(fn () => $pix->requests()->current()),
      ];`;
    const helpOf = (name: string) => `${link.url}/docs/errors#${name}`;
    const failure = (name: string, code: string) => [`PixService\\${name}`, code, 32, helpOf(code)];
    link.faults.push('none', 'none', 'none', 'none', { status: 503 });
    const [first, second, third, fourth] = (await withClient(code)) as unknown[];
    expect(first).toEqual(failure('InvalidRequestError', 'invalid_request'));
    expect(second).toEqual(failure('NotFoundError', 'payment_not_found'));
    expect(third).toEqual(failure('ConflictError', 'payment_not_refundable'));
    expect(fourth).toEqual(expect.arrayContaining(['PixService\\ServiceError']));
  });

  it('receives webhooks and refuses forged ones', async () => {
    const secret = newWebhookSecret();
    const port = await freePort();
    await writeFile(join(project, 'receiver.php'), `<?php ${asInstalled(blocks[2] ?? '')}`);
    const env = { ...process.env, WEBHOOK_SECRET: secret };
    const args = ['-d', 'display_errors=0', '-S', `127.0.0.1:${port}`, 'receiver.php'];
    const receiver = spawn('php', args, { cwd: project, env, stdio: 'ignore' });
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
    const given = JSON.stringify({ body, headers, secret });
    const code = `require 'vendor/autoload.php'; use PixService\\Webhook;
      ['body' => $body, 'headers' => $headers, 'secret' => $secret] = json_decode(getenv('GIVEN'), true);
      $names = fn (callable $change) => array_combine(array_map($change, array_keys($headers)), $headers);
      $verify = function ($body, $headers, $secret) {
        try { return Webhook::verify($body, $headers, $secret)['id']; }
        catch (TypeError $error) { return substr($error->getMessage(), 0, 37); }
        catch (InvalidArgumentException $error) { return substr($error->getMessage(), 0, 10); }
      };
      echo json_encode([
        $verify($body, array_map(fn ($value) => [$value], $names('strtoupper')), $secret),
        $verify($body, $names(fn ($name) => 'HTTP_' . strtoupper(strtr($name, '-', '_'))), ['whsec_AAAA', $secret]),
        $verify(json_decode($body, true), $headers, $secret),
        $verify($body, $headers, 'whsec_…'),
      ]);`;
    const expected = ['e1', 'e1', 'body must be the raw bytes of the req', 'secret is '];
    expect(JSON.parse(await php(code, { GIVEN: given }))).toEqual(expected);
  });
});
