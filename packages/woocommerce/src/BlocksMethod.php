<?php

declare(strict_types=1);

namespace PixService\WooCommerce;

use Automattic\WooCommerce\Blocks\Payments\Integrations\AbstractPaymentMethodType;

/** Offers Pix in the checkout block. */
final class BlocksMethod extends AbstractPaymentMethodType
{
    protected $name = Gateway::ID;

    public function initialize(): void
    {
    }

    public function is_active(): bool
    {
        return gateway()->is_available();
    }

    /** @return list<string> */
    public function get_payment_method_script_handles(): array
    {
        $needs = ['wc-blocks-registry', 'wc-settings', 'wp-element', 'wp-html-entities'];
        wp_register_script('pix-service-blocks', plugins_url('assets/blocks.js', __DIR__), $needs, '1.0.0', true);
        return ['pix-service-blocks'];
    }

    /** @return array<string, mixed> */
    public function get_payment_method_data(): array
    {
        $gateway = gateway();
        return ['title' => $gateway->title, 'description' => $gateway->description, 'supports' => $gateway->supports];
    }
}
