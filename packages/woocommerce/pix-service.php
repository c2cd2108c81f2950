<?php
/**
 * Plugin Name: Pix for WooCommerce
 * Description: Takes Pix through your own PIX payment service.
 * Version: 1.0.0
 * Requires at least: 6.5
 * Requires PHP: 8.1
 * Requires Plugins: woocommerce
 * WC requires at least: 8.3
 * WC tested up to: 11.0
 * License: MIT
 * Text Domain: pix-service
 * Domain Path: /languages
 */

declare(strict_types=1);

namespace PixService\WooCommerce;

use Automattic\WooCommerce\Utilities\FeaturesUtil;

defined('ABSPATH') || exit;

/** The gateway of this request, with its settings. */
function gateway(): Gateway
{
    return WC()->payment_gateways()->payment_gateways()[Gateway::ID];
}

add_action('before_woocommerce_init', static function (): void {
    FeaturesUtil::declare_compatibility('custom_order_tables', __FILE__);
    FeaturesUtil::declare_compatibility('cart_checkout_blocks', __FILE__);
});

add_action('init', static function (): void {
    load_plugin_textdomain('pix-service', false, dirname(plugin_basename(__FILE__)) . '/languages');
});

add_action('plugins_loaded', static function (): void {
    if (!class_exists('WC_Payment_Gateway')) {
        return;
    }
    // The zip has the client inside; a checkout has it beside this folder.
    require_once is_dir(__DIR__ . '/client') ? __DIR__ . '/client/autoload.php' : __DIR__ . '/../php/autoload.php';
    foreach (['Gateway', 'Instructions', 'Orders', 'Receiver'] as $file) {
        require_once __DIR__ . "/src/$file.php";
    }
    add_filter('woocommerce_payment_gateways', static fn (array $all): array => [...$all, Gateway::class]);
    add_action('woocommerce_blocks_payment_method_type_registration', static function ($registry): void {
        require_once __DIR__ . '/src/BlocksMethod.php';
        $registry->register(new BlocksMethod());
    });
    Instructions::hook();
    Receiver::hook();

    $cancel = static fn ($id) => gateway()->cancel((int) $id);
    foreach (['woocommerce_order_status_cancelled', 'woocommerce_before_trash_order', 'woocommerce_before_delete_order'] as $event) {
        add_action($event, $cancel);
    }
    add_action('woocommerce_refund_created', static fn ($id) => gateway()->nameRefund((int) $id));
    add_filter('woocommerce_order_actions', static function (array $actions, $order = null): array {
        return $order instanceof \WC_Order && $order->get_meta(Orders::PAYMENT) !== ''
            ? [...$actions, 'pix_service_look_up' => __('Ask the Pix service about the payment', 'pix-service')]
            : $actions;
    }, 10, 2);
    add_action('woocommerce_order_action_pix_service_look_up', static fn ($order) => gateway()->lookUp($order->get_id()));
});
