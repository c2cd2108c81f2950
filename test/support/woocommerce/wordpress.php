<?php
// A real WordPress, in the directory WORDPRESS, that has WooCommerce and in wp-content/plugins/pix-service this plugin.

declare(strict_types=1);

$_SERVER += ['HTTP_HOST' => 'shop.example.com', 'SERVER_NAME' => 'shop.example.com', 'SERVER_PORT' => 443, 'REQUEST_URI' => '/'];
require getenv('WORDPRESS') . '/wp-load.php';
require_once ABSPATH . 'wp-admin/includes/plugin.php';
activate_plugin('woocommerce/woocommerce.php');
activate_plugin('pix-service/pix-service.php');
require_once WC_ABSPATH . 'includes/admin/class-wc-admin-settings.php';
add_filter('woocommerce_currency', fn () => 'BRL');
add_filter('pre_wp_mail', fn () => true);
// The orders of the tests have no product that would have to be sent.
add_filter('woocommerce_payment_complete_order_status', fn () => 'processing');
wc_load_cart();
