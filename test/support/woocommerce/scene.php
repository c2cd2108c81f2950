<?php
// A shop that is set up, and what its customers and the service do.

declare(strict_types=1);

use PixService\Pix;
use PixService\WooCommerce\{Gateway, Receiver};

require __DIR__ . (getenv('WORDPRESS') ? '/wordpress.php' : '/double.php');

const SECRET = 'whsec_c2VjcmV0LW9mLXRoZS1zaG9w';

/** @param array<string, string> $settings */
function shop(array $settings = []): Pix
{
    $given = ['enabled' => 'yes', 'title' => 'Pix', 'description' => '', 'base_url' => getenv('PIX_URL'), 'api_key' => getenv('PIX_API_KEY'), 'webhook_secret' => SECRET, 'expiration_minutes' => '60'];
    update_option('woocommerce_' . Gateway::ID . '_settings', [...$given, ...$settings]);
    WC()->payment_gateways()->init();
    return new Pix(getenv('PIX_API_KEY'), getenv('PIX_URL'), maxRetries: 0);
}

function order(float $total = 19.9, string $currency = 'BRL'): WC_Order
{
    $order = wc_create_order();
    $order->set_currency($currency);
    $order->set_billing_first_name('Ana');
    $order->set_billing_last_name('Lima');
    $order->set_billing_email('ana@example.com');
    $order->set_payment_method(Gateway::ID);
    $item = new WC_Order_Item_Fee();
    $item->set_name('Camiseta');
    $item->set_amount((string) $total);
    $item->set_total((string) $total);
    $order->add_item($item);
    $order->set_total($total);
    $order->save();
    return $order;
}

function gateway(): Gateway
{
    return PixService\WooCommerce\gateway();
}

/** What process_payment says, without the address. */
function checkOut(WC_Order $order): string
{
    return gateway()->process_payment($order->get_id())['result'];
}

function paymentOf(WC_Order $order): string
{
    return wc_get_order($order->get_id())->get_meta('_pix_payment_id');
}

function statusOf(WC_Order $order): string
{
    return wc_get_order($order->get_id())->get_status();
}

/** @return list<string> Oldest first. */
function notesOf(WC_Order $order): array
{
    return array_reverse(array_column(wc_get_order_notes(['order_id' => $order->get_id()]), 'content'));
}

/** Says the status with which the shop responds to a webhook. */
function deliver(array $event, string $secret = SECRET, ?int $at = null): int
{
    $body = json_encode($event, JSON_THROW_ON_ERROR | JSON_UNESCAPED_SLASHES);
    $at ??= time();
    $mac = hash_hmac('sha256', "$event[id].$at.$body", base64_decode(substr($secret, 6)), true);
    return Receiver::receive($body, [
        'HTTP_WEBHOOK_ID' => $event['id'],
        'HTTP_WEBHOOK_TIMESTAMP' => (string) $at,
        'HTTP_WEBHOOK_SIGNATURE' => 'v1,' . base64_encode($mac),
    ]);
}

/** Everything that has happened. @return list<int> */
function deliverAll(Pix $pix): array
{
    return array_map(deliver(...), iterator_to_array($pix->events(), false));
}

function lastEvent(Pix $pix, string $type): array
{
    return array_values(array_filter(iterator_to_array($pix->events(), false), fn ($event) => $event['type'] === $type))[0];
}
