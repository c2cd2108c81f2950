<?php

declare(strict_types=1);

namespace PixService\WooCommerce;

/** The code, where the customer sees the order. */
final class Instructions
{
    private const STATUS = Gateway::ID . '_status';

    public static function hook(): void
    {
        add_action('woocommerce_thankyou_' . Gateway::ID, static fn ($id) => self::onPage(wc_get_order($id)));
        add_action('woocommerce_view_order', static fn ($id) => self::onPage(wc_get_order($id)), 5);
        add_action('woocommerce_email_before_order_table', self::inMail(...), 10, 3);
        add_action('woocommerce_api_' . self::STATUS, self::status(...));
    }

    private static function isWaiting(mixed $order): bool
    {
        return $order instanceof \WC_Order
            && $order->get_meta(Orders::IS_OPEN) === 'yes'
            && $order->has_status(['on-hold', 'pending']);
    }

    private static function onPage(mixed $order): void
    {
        if (!self::isWaiting($order)) {
            return;
        }
        $code = $order->get_meta(Orders::CODE);
        $url = add_query_arg(['order' => $order->get_id(), 'key' => $order->get_order_key()], WC()->api_request_url(self::STATUS));
        wp_enqueue_script('pix-service', plugins_url('assets/waiting.js', __DIR__), [], '1.0.0', true);
        ?>
        <section class="pix-service" data-status="<?php echo esc_url($url); ?>">
            <h2><?php esc_html_e('Pay with Pix', 'pix-service'); ?></h2>
            <p><?php esc_html_e('Read the code with the app of your bank, or copy it there.', 'pix-service'); ?></p>
            <?php if ($order->get_meta(Orders::QR) !== '') : ?>
                <img src="data:image/png;base64,<?php echo esc_attr($order->get_meta(Orders::QR)); ?>" alt="<?php esc_attr_e('QR code of the Pix', 'pix-service'); ?>" width="260" height="260">
            <?php endif; ?>
            <p><textarea readonly rows="4" style="width: 100%" aria-label="<?php esc_attr_e('Pix code to copy', 'pix-service'); ?>"><?php echo esc_textarea($code); ?></textarea></p>
            <p><button type="button" class="button wp-element-button" data-copied="<?php esc_attr_e('Copied', 'pix-service'); ?>"><?php esc_html_e('Copy the code', 'pix-service'); ?></button></p>
        </section>
        <?php
    }

    private static function inMail(mixed $order, bool $isForAdmin, bool $isPlain = false): void
    {
        if ($isForAdmin || !self::isWaiting($order)) {
            return;
        }
        $code = $order->get_meta(Orders::CODE);
        $page = $order->get_checkout_order_received_url();
        $text = __('Pay with Pix: copy this code to the app of your bank.', 'pix-service');
        if ($isPlain) {
            echo "$text\n\n$code\n\n$page\n\n";
            return;
        }
        $qr = base64_decode($order->get_meta(Orders::QR));
        $cid = 'pix-' . $order->get_meta(Orders::PAYMENT);
        if ($qr !== '') {
            // Mail programs show no picture that is part of the page. Other mails of this request are none of its business.
            add_action('phpmailer_init', static function ($mailer) use ($qr, $cid): void {
                if (str_contains($mailer->Body, "cid:$cid")) {
                    $mailer->addStringEmbeddedImage($qr, $cid, 'pix.png', 'base64', 'image/png');
                }
            });
        }
        printf(
            '<p>%s</p>%s<p style="word-break: break-all; font-family: monospace">%s</p><p><a href="%s">%s</a></p>',
            esc_html($text),
            $qr === '' ? '' : sprintf('<p><img src="cid:%s" alt="%s" width="260" height="260"></p>', esc_attr($cid), esc_attr__('QR code of the Pix', 'pix-service')),
            esc_html($code),
            esc_url($page),
            esc_html__('See the order', 'pix-service'),
        );
    }

    /** Whoever waits at the code sees that it was paid. */
    private static function status(): void
    {
        $order = wc_get_order(absint($_GET['order'] ?? 0));
        $key = $_GET['key'] ?? '';
        if (!$order instanceof \WC_Order || !is_string($key) || !hash_equals($order->get_order_key(), $key)) {
            wp_send_json([], 404);
        }
        nocache_headers();
        wp_send_json(['isWaiting' => self::isWaiting($order)]);
    }
}
