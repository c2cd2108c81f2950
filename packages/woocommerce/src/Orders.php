<?php

declare(strict_types=1);

namespace PixService\WooCommerce;

use PixService\Pix;

/** What becomes of an order when its payment does. */
final class Orders
{
    /** The payment whose code the customer has. */
    public const PAYMENT = '_pix_payment_id';
    /** Whether that can still be paid, as far as we know. */
    public const IS_OPEN = '_pix_is_open';
    public const CODE = '_pix_code';
    public const QR = '_pix_qr';
    public const CHECKOUT = '_pix_checkout_url';
    /** At a refund of WooCommerce: the service's id of it. */
    public const REFUND = '_pix_refund_id';
    /** One for each refund that failed later. */
    public const FAILED_REFUND = '_pix_failed_refund';

    /**
     * The order as it is in the database, which until the end of the request nobody else changes on our behalf: a webhook may
     * come before the checkout is done, and twice at once. Null if it was deleted.
     */
    public static function lock(int $id): ?\WC_Order
    {
        global $wpdb;
        $name = substr(DB_NAME . $wpdb->prefix, -30) . "pix_order_$id";
        if ($wpdb->get_var($wpdb->prepare('SELECT GET_LOCK(%s, 10)', $name)) !== '1') {
            throw new \RuntimeException(__('The order is being changed. Try again.', 'pix-service'));
        }
        $order = wc_get_order($id);
        if (!$order instanceof \WC_Order) {
            return null;
        }
        $order->get_data_store()->read($order);
        $order->read_meta_data(true);
        return $order;
    }

    public static function centavos(\WC_Order $order): int
    {
        return Pix::centavos((float) $order->get_total());
    }

    /** @param array<string, mixed> $payment One that was paid. */
    public static function paid(\WC_Order $order, array $payment): void
    {
        if ($order->get_meta(self::PAYMENT) === $payment['id']) {
            $order->delete_meta_data(self::IS_OPEN);
            $order->delete_meta_data(self::QR);
        }
        $received = 'R$ ' . number_format((float) $payment['amount'], 2, ',', '.') . " ($payment[id])";
        if ($order->get_transaction_id() === $payment['id']) {
            return;
        }
        if ($order->is_paid() || $order->has_status('refunded')) {
            /* translators: %s: amount and payment */
            $order->add_order_note(sprintf(__('Pix of %s received, but the order was paid already: refund it in the Pix service.', 'pix-service'), $received));
            return;
        }
        if (Pix::centavos($payment['amount']) !== self::centavos($order) || $order->get_currency() !== 'BRL') {
            $order->set_transaction_id($payment['id']);
            /* translators: %s: amount and payment */
            self::hold($order, sprintf(__('Pix of %s received, which is not the total of the order: refund it, or complete the order.', 'pix-service'), $received));
            return;
        }
        /* translators: %s: amount and payment */
        $order->add_order_note(sprintf(__('Pix of %s received.', 'pix-service'), $received));
        $order->payment_complete($payment['id']);
        // An older code of the same order was paid.
        gateway()->cancel($order->get_id());
    }

    /** Nobody can pay this payment any more. */
    public static function ended(\WC_Order $order, string $paymentId): void
    {
        if ($order->get_meta(self::PAYMENT) !== $paymentId) {
            return;
        }
        $order->delete_meta_data(self::IS_OPEN);
        $order->delete_meta_data(self::QR);
        if ($order->has_status(['pending', 'on-hold'])) {
            $order->update_status('cancelled', __('The Pix was not paid in time.', 'pix-service'));
        }
    }

    /** @param array<string, mixed> $refund One that went through, perhaps of somebody in the dashboard of the service. */
    public static function refunded(\WC_Order $order, array $refund): void
    {
        if (self::refundOf($order, $refund['id'])) {
            return;
        }
        $made = wc_create_refund([
            'order_id' => $order->get_id(),
            'amount' => $refund['amount'],
            'reason' => $refund['reason'] ?? '',
            'refund_payment' => false,
        ]);
        if ($made instanceof \WC_Order_Refund) {
            $made->update_meta_data(self::REFUND, $refund['id']);
            $made->save();
            return;
        }
        $order->add_order_note("Pix: $refund[id]: " . $made->get_error_message());
    }

    /** The money is still the shop's, and the order can be refunded again. */
    public static function refundFailed(\WC_Order $order, array $refund): void
    {
        $order->add_meta_data(self::FAILED_REFUND, $refund['id']);
        self::refundOf($order, $refund['id'])?->delete(true);
        /* translators: %s: amount */
        self::hold($order, sprintf(__('The refund of R$ %s failed at the provider. The money is still yours: refund again.', 'pix-service'), number_format((float) $refund['amount'], 2, ',', '.')));
    }

    /** Somebody has to look at it. A change to the status that it has would leave no note. */
    private static function hold(\WC_Order $order, string $note): void
    {
        $order->add_order_note($note);
        $order->update_status('on-hold');
    }

    private static function refundOf(\WC_Order $order, string $id): ?\WC_Order_Refund
    {
        foreach ($order->get_refunds() as $refund) {
            if ($refund->get_meta(self::REFUND) === $id) {
                return $refund;
            }
        }
        return null;
    }
}
