import { execFile, spawnSync } from 'node:child_process';
import { resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, afterEach, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createKey } from '../support/factories.ts';
import { type LossyLink, startLossyLink } from '../support/lossy-link.ts';

const run = promisify(execFile);
const scene = resolve(import.meta.dirname, '../support/woocommerce/scene.php');
const isThere = spawnSync('php', ['-r', 'exit(extension_loaded("curl") ? 0 : 1);']).status === 0;
if (!isThere) console.warn('php with cURL is missing: packages/woocommerce was not run');
const describeIfThere = isThere ? describe : describe.skip;

let app: TestApp;
let link: LossyLink;

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  link = await startLossyLink(app.baseUrl);
});

afterEach(() => {
  link.faults.length = 0;
  link.requests.length = 0;
});

afterAll(async () => {
  link.stop();
  await app.stop();
});

/** Runs lines of PHP in a shop, WooCommerce's own where WORDPRESS names one, and returns what they return. */
async function inShop(code: string, permissions?: string[]): Promise<unknown> {
  const { key } = await createKey(app.services, permissions && { permissions });
  const source = `require ${JSON.stringify(scene)}; $pix = shop();
    $result = (function () use ($pix) {${code}})(); echo "\\n", json_encode($result, JSON_THROW_ON_ERROR);`;
  const options = ['-d', 'display_errors=stderr', '-d', 'error_reporting=-1', '-r', source];
  const { stdout, stderr } = await run('php', options, {
    env: { ...process.env, PIX_API_KEY: key, PIX_URL: link.url },
  });
  expect(stderr).toBe('');
  return JSON.parse(stdout.slice(stdout.lastIndexOf('\n')));
}

const created = () => link.requests.filter((request) => request === 'POST /v1/payments').length;

describeIfThere('an order that is paid by Pix', () => {
  it('waits with its code, and is paid once by the webhook', async () => {
    const code = `$order = order();
      $seen = [checkOut($order), statusOf($order)];
      $payment = $pix->payment(paymentOf($order));
      $seen[] = [$payment['amount'], $payment['externalId'] === (string) $order->get_id(), $payment['payerName']];
      $pix->sandboxPay($payment['id']);
      $seen[] = [deliverAll($pix), deliverAll($pix), statusOf($order)];
      $paid = wc_get_order($order->get_id());
      $seen[] = [$paid->get_transaction_id() === $payment['id'], count(preg_grep('/R\\$ 19,90/', notesOf($order)))];
      return $seen;`;
    const paid = [[204], [204], 'processing'];
    expect(await inShop(code)).toEqual(['success', 'on-hold', [19.9, true, 'Ana Lima'], paid, [true, 1]]);
  });

  it('shows the code where the customer sees the order, until it is paid', async () => {
    const code = `$order = order();
      checkOut($order);
      $show = function (string $hook, mixed ...$given): string {
        ob_start();
        do_action($hook, ...$given);
        return ob_get_clean();
      };
      $pages = function () use ($show, $order): array {
        $fresh = wc_get_order($order->get_id());
        return [
          $show('woocommerce_thankyou_pix_service', $fresh->get_id()),
          $show('woocommerce_email_before_order_table', $fresh, false, false),
          $show('woocommerce_email_before_order_table', $fresh, false, true),
          $show('woocommerce_email_before_order_table', $fresh, true, false),
        ];
      };
      $payment = $pix->payment(paymentOf($order));
      $has = fn (string $page): array => [str_contains($page, $payment['pixCopyPaste']), str_contains($page, '<img')];
      $before = array_map($has, $pages());
      $pix->sandboxPay($payment['id']);
      deliverAll($pix);
      return [$before, array_map($has, $pages())];`;
    const none = [false, false];
    const expected = [
      [[true, true], [true, true], [true, false], none],
      [none, none, none, none],
    ];
    expect(await inShop(code)).toEqual(expected);
  });

  it('believes no webhook that is forged, altered, old or of another mode', async () => {
    const code = `$order = order();
      checkOut($order);
      $pix->sandboxPay(paymentOf($order));
      $event = lastEvent($pix, 'payment_completed');
      $seen = [
        deliver($event, 'whsec_b3RoZXI='),
        deliver($event, at: time() - 3600),
        PixService\\WooCommerce\\Receiver::receive(json_encode($event), []),
      ];
      shop(['api_key' => 'pk_live_0']);
      $seen[] = deliver($event);
      shop(['webhook_secret' => '']);
      $seen[] = deliver($event);
      return [...$seen, statusOf($order)];`;
    expect(await inShop(code)).toEqual([401, 401, 401, 204, 500, 'on-hold']);
  });

  it('is not paid by another amount or in another currency', async () => {
    const code = `$seen = [];
      foreach ([fn ($order) => $order->set_total(29.9), fn ($order) => $order->set_currency('USD')] as $change) {
        $order = order();
        checkOut($order);
        $changed = wc_get_order($order->get_id());
        $change($changed);
        $changed->save();
        $pix->sandboxPay(paymentOf($order));
        deliverAll($pix);
        $seen[] = [statusOf($order), count(preg_grep('/not the total of the order/', notesOf($order)))];
      }
      return $seen;`;
    expect(await inShop(code)).toEqual([
      ['on-hold', 1],
      ['on-hold', 1],
    ]);
  });

  it('is no other order of the same number, and need not exist any more', async () => {
    const code = `$order = order();
      $other = $pix->createPayment(['amount' => 19.9, 'externalId' => (string) $order->get_id(), 'metadata' => ['orderKey' => 'wc_order_other']]);
      $pix->sandboxPay($other['id']);
      $seen = [deliverAll($pix), statusOf($order)];
      checkOut($order);
      $pix->sandboxPay(paymentOf($order));
      wc_get_order($order->get_id())->delete(true);
      return [...$seen, deliverAll($pix)];`;
    expect(await inShop(code)).toEqual([[204], 'pending', [204, 204]]);
  });

  it('stays paid when another Pix comes, and says so', async () => {
    const code = `$order = order();
      checkOut($order);
      $pix->sandboxPay(paymentOf($order));
      deliverAll($pix);
      $second = $pix->createPayment(['amount' => 19.9, 'externalId' => (string) $order->get_id(), 'metadata' => ['orderKey' => $order->get_order_key()]]);
      $pix->sandboxPay($second['id']);
      deliverAll($pix);
      return [statusOf($order), wc_get_order($order->get_id())->get_transaction_id() === paymentOf($order), count(preg_grep('/was paid already/', notesOf($order)))];`;
    expect(await inShop(code)).toEqual(['processing', true, 1]);
  });

  it('is cancelled when the time to pay is over', async () => {
    const code = `$order = order();
      checkOut($order);
      $pix->sandboxExpire(paymentOf($order));
      deliverAll($pix);
      return statusOf($order);`;
    expect(await inShop(code)).toBe('cancelled');
    expect(link.requests).not.toContain(expect.stringMatching(/cancel$/));
  });

  it('ends its payment when it is cancelled', async () => {
    const code = `$order = order();
      checkOut($order);
      wc_get_order($order->get_id())->update_status('cancelled');
      $ended = $pix->payment(paymentOf($order))['status'];
      return [$ended, deliverAll($pix), statusOf($order)];`;
    expect(await inShop(code)).toEqual(['cancelled', [204], 'cancelled']);
  });

  it('is paid all the same when its payment could not be cancelled, and the customer was faster', async () => {
    const code = `$order = order();
      checkOut($order);
      shop(['base_url' => 'http://127.0.0.1:9']);
      wc_get_order($order->get_id())->update_status('cancelled');
      shop();
      $notes = count(preg_grep('/may still be paid/', notesOf($order)));
      $pix->sandboxPay(paymentOf($order));
      deliverAll($pix);
      return [$notes, statusOf($order)];`;
    expect(await inShop(code)).toEqual([1, 'processing']);
  });

  it('is found paid by asking, when no webhook came', async () => {
    const code = `$order = order();
      checkOut($order);
      $pix->sandboxPay(paymentOf($order));
      gateway()->lookUp($order->get_id());
      return [statusOf($order), deliverAll($pix), count(preg_grep('/R\\$ 19,90/', notesOf($order)))];`;
    expect(await inShop(code)).toEqual(['processing', [204], 1]);
  });
});

describeIfThere('a checkout', () => {
  it('fails with a sentence while the service is down, and charges once when tried again', async () => {
    const code = `$order = order();
      shop(['base_url' => 'http://127.0.0.1:9']);
      $seen = [checkOut($order), statusOf($order), wc_get_notices('error')[0]['notice']];
      shop();
      return [...$seen, checkOut($order), checkOut($order), statusOf($order), count(iterator_to_array($pix->payments(), false))];`;
    const sentence = expect.stringMatching(/Nothing was charged: please try again/);
    const expected = ['failure', 'pending', sentence, 'success', 'success', 'on-hold', 1];
    expect(await inShop(code)).toEqual(expected);
  });

  it('makes one payment though the response is lost, and takes what was paid meanwhile', async () => {
    link.faults.push('lose', 'lose');
    const code = `$order = order();
      $seen = [checkOut($order), statusOf($order)];
      [$made] = iterator_to_array($pix->payments(), false);
      $seen[] = checkOut($order);
      $seen[] = paymentOf($order) === $made['id'];
      return $seen;`;
    expect(await inShop(code)).toEqual(['failure', 'pending', 'success', true]);
    link.faults.push('lose', 'lose');
    const early = `$order = order();
      checkOut($order);
      [$made] = iterator_to_array($pix->payments(), false);
      $pix->sandboxPay($made['id']);
      deliverAll($pix);
      return [statusOf($order), checkOut($order), statusOf($order), count(iterator_to_array($pix->payments(), false))];`;
    expect(await inShop(early)).toEqual(['processing', 'success', 'processing', 1]);
  });

  it('makes one payment though the clock of the shop is ahead', async () => {
    const code = `eval('namespace PixService\\\\WooCommerce; function time(): int { return \\\\time() + 90000; }');
      $order = order();
      return [checkOut($order), statusOf($order), count(iterator_to_array($pix->payments(), false))];`;
    expect(await inShop(code)).toEqual(['success', 'on-hold', 1]);
  });

  it('cancels the code of a total that has changed', async () => {
    const code = `$order = order();
      checkOut($order);
      $first = paymentOf($order);
      $changed = wc_get_order($order->get_id());
      $changed->set_total(25);
      $changed->save();
      $seen = [checkOut($order), $pix->payment($first)['status'], $pix->payment(paymentOf($order))['amount']];
      deliverAll($pix);
      return [...$seen, statusOf($order)];`;
    expect(await inShop(code)).toEqual(['success', 'cancelled', 25, 'on-hold']);
  });

  it('says what to check when the service refuses what was typed', async () => {
    const code = `$order = order();
      $order->update_meta_data('_billing_cpf', '123');
      $order->save();
      return [checkOut($order), wc_get_notices('error')[0]['notice'], statusOf($order)];`;
    const sentence = expect.stringMatching(/check your name, e-mail and CPF/);
    expect(await inShop(code)).toEqual(['failure', sentence, 'pending']);
  });

  it('fails with a wrong key, and shows it to nobody', async () => {
    const code = `$order = order();
      shop(['api_key' => 'pk_test_wrong']);
      $seen = [checkOut($order)];
      shop(['api_key' => 'wrong']);
      return [...$seen, checkOut($order), statusOf($order), json_encode([wc_get_notices('error'), notesOf($order)])];`;
    const shown = expect.not.stringMatching(/wrong/);
    expect(await inShop(code)).toEqual(['failure', 'failure', 'pending', shown]);
  });

  it('offers Pix in BRL alone, and only when a payment would be noticed', async () => {
    const code = `$seen = [gateway()->is_available()];
      foreach (['webhook_secret', 'api_key', 'base_url'] as $name) {
        shop([$name => '']);
        $seen[] = gateway()->is_available();
      }
      shop();
      add_filter('woocommerce_currency', fn () => 'USD', 20);
      return [...$seen, gateway()->is_available(), checkOut(order(currency: 'USD'))];`;
    expect(await inShop(code)).toEqual([true, false, false, false, false, 'failure']);
    expect(created()).toBe(0);
  });
});

describeIfThere('a refund', () => {
  const paid = `$order = order();
    checkOut($order);
    $pix->sandboxPay(paymentOf($order));
    deliverAll($pix);
    $refund = fn (float $amount) => wc_create_refund(['order_id' => $order->get_id(), 'amount' => $amount, 'reason' => 'Tamanho', 'refund_payment' => true]);
    $refunds = fn () => array_map(fn ($each) => (float) $each->get_amount(), wc_get_order($order->get_id())->get_refunds());
    $sent = fn () => array_column(iterator_to_array($pix->refunds(paymentOf($order)), false), 'amount');`;

  it('of a part and of the rest is made at the service, and once each', async () => {
    const code = `${paid}
      $refund(5);
      $refund(5);
      $refund(9.9);
      deliverAll($pix);
      return [$sent(), $refunds(), statusOf($order)];`;
    expect(await inShop(code)).toEqual([[5, 5, 9.9], [9.9, 5, 5], 'refunded']);
  });

  it('whose response is lost happens once when it is asked for again', async () => {
    const code = `${paid}
      $failed = is_wp_error($refund(5));
      return [$failed, $refunds(), is_wp_error($refund(5)), $refunds(), $sent()];`;
    link.faults.push('none', 'none', 'none', 'lose', 'lose');
    expect(await inShop(code)).toEqual([true, [], false, [5], [5]]);
  });

  it('that the service refuses is not made, with its reason', async () => {
    const code = `${paid}
      $pix->refundPayment(paymentOf($order), 19);
      $made = $refund(5);
      return [is_wp_error($made) ? $made->get_error_message() : null, $refunds()];`;
    expect(await inShop(code)).toEqual([expect.stringMatching(/0\.9/), []]);
  });

  it('that somebody made in the service is known to the order', async () => {
    const code = `${paid}
      $pix->refundPayment(paymentOf($order), 3, reason: 'dano');
      deliverAll($pix);
      deliverAll($pix);
      return [$refunds(), statusOf($order)];`;
    expect(await inShop(code)).toEqual([[3], 'processing']);
  });

  it('that fails later is taken back, and can be asked for again', async () => {
    const code = `${paid}
      $refund(19.9);
      $done = lastEvent($pix, 'refund_completed');
      deliver(['id' => 'evt_failed', 'type' => 'refund_failed', 'refund' => [...$done['refund'], 'status' => 'failed']] + $done);
      deliver(['id' => 'evt_failed', 'type' => 'refund_failed', 'refund' => [...$done['refund'], 'status' => 'failed']] + $done);
      $seen = [$refunds(), statusOf($order), count(preg_grep('/refund again/', notesOf($order)))];
      $again = $refund(19.9);
      return [...$seen, is_wp_error($again) && str_contains($again->get_error_message(), 'refund')];`;
    expect(await inShop(code)).toEqual([[], 'on-hold', 1, true]);
  });
});

describeIfThere('the settings', () => {
  const save = `$save = function (array $settings): array {
      $given = ['enabled' => '1', 'title' => 'Pix', 'base_url' => getenv('PIX_URL'), 'api_key' => getenv('PIX_API_KEY'), 'webhook_secret' => '', ...$settings];
      $names = array_map(fn ($name) => "woocommerce_pix_service_$name", array_keys($given));
      gateway()->set_post_data(array_combine($names, array_values($given)));
      gateway()->process_admin_options();
      return $given;
    };
    $secret = fn () => get_option('woocommerce_pix_service_settings')['webhook_secret'];`;

  it('set up the webhooks when the key may, and again with another key', async () => {
    const code = `${save}
      shop(['webhook_secret' => '', 'api_key' => '']);
      $save([]);
      $first = $secret();
      $save(['webhook_secret' => $first]);
      $kept = $secret() === $first;
      $save(['webhook_secret' => '']);
      $urls = array_column($pix->webhookEndpoints(), 'url');
      return [str_starts_with($first, 'whsec_'), $kept, $secret() !== $first, $urls === [PixService\\WooCommerce\\Receiver::url()]];`;
    expect(await inShop(code, ['webhooks:manage'])).toEqual([true, true, true, true]);
  });

  it('say what to do when the key may not', async () => {
    const code = `${save}
      shop(['webhook_secret' => '']);
      $save([]);
      ob_start();
      WC_Admin_Settings::show_messages();
      return [$secret(), strip_tags(ob_get_clean())];`;
    expect(await inShop(code)).toEqual(['', expect.stringMatching(/lacks the permission webhooks:manage/)]);
  });
});
