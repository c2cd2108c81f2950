<?php

declare(strict_types=1);

namespace PixService\WooCommerce;

use PixService\{Webhook, WebhookVerificationError};

/** The service tells here what becomes of payments. */
final class Receiver
{
    public const EVENTS = [
        'payment_completed',
        'payment_duplicated',
        'payment_expired',
        'payment_cancelled',
        'payment_reversed',
        'payment_disputed',
        'refund_completed',
        'refund_failed',
    ];

    /** At an order: the events that it has seen. */
    private const SEEN = '_pix_event';

    public static function hook(): void
    {
        add_action('woocommerce_api_' . Gateway::ID, static function (): void {
            status_header(self::receive((string) file_get_contents('php://input'), $_SERVER));
            exit;
        });
    }

    public static function url(): string
    {
        return WC()->api_request_url(Gateway::ID);
    }

    /**
     * Returns the status of the response.
     *
     * @param array<string, mixed> $headers
     */
    public static function receive(string $body, array $headers): int
    {
        $gateway = gateway();
        try {
            $event = Webhook::verify($body, $headers, $gateway->get_option('webhook_secret'));
        } catch (WebhookVerificationError) {
            return 401;
        } catch (\InvalidArgumentException | \JsonException) {
            return 500;
        }
        $payment = $event['data'];
        // A test payment must not pay for an order of a shop that went live.
        if (($payment['isTest'] ?? null) !== $gateway->isTest()) {
            return 204;
        }
        try {
            $order = Orders::lock((int) ($payment['externalId'] ?? 0));
        } catch (\RuntimeException) {
            return 503;
        }
        $orderKey = $payment['metadata']['orderKey'] ?? null;
        if ($order === null || !is_string($orderKey) || !hash_equals($order->get_order_key(), $orderKey)) {
            if (is_string($orderKey)) {
                wc_get_logger()->warning("$event[type] $payment[id]: no such order", ['source' => Gateway::ID]);
            }
            return 204;
        }
        $seen = array_map(static fn ($meta) => $meta->value, $order->get_meta(self::SEEN, false));
        if (in_array($event['id'], $seen, true)) {
            return 204;
        }
        self::apply($order, $event);
        $order->add_meta_data(self::SEEN, $event['id']);
        $order->save();
        return 204;
    }

    /** @param array<string, mixed> $event */
    private static function apply(\WC_Order $order, array $event): void
    {
        $payment = $event['data'];
        match ($event['type']) {
            'payment_completed' => Orders::paid($order, $payment),
            'payment_expired', 'payment_cancelled' => Orders::ended($order, $payment['id']),
            'refund_completed' => Orders::refunded($order, $event['refund']),
            'refund_failed' => Orders::refundFailed($order, $event['refund']),
            'payment_duplicated' => $order->add_order_note(__('Another Pix was received for this order: refund it in the Pix service.', 'pix-service')),
            'payment_reversed' => $order->add_order_note(__('Money of this Pix left again, other than by a refund of this shop: see the Pix service.', 'pix-service')),
            'payment_disputed' => $order->add_order_note(__('The payer disputes this Pix: see the Pix service.', 'pix-service')),
            default => null,
        };
    }
}
