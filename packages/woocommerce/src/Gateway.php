<?php

declare(strict_types=1);

namespace PixService\WooCommerce;

use PixService\{ApiError, ConflictError, CurlTransport, InvalidRequestError, NotFoundError, PermissionDenied, Pix, PixException};

final class Gateway extends \WC_Payment_Gateway
{
    public const ID = 'pix_service';

    /** The service tries its providers for twelve seconds. */
    private const TIMEOUT_SECONDS = 15.0;

    private ?string $madeRefund = null;

    public function __construct()
    {
        $this->id = self::ID;
        $this->method_title = 'Pix';
        $this->method_description = __('Pix through your own PIX payment service.', 'pix-service');
        $this->supports = ['products', 'refunds'];
        $this->init_form_fields();
        $this->init_settings();
        $this->title = $this->get_option('title');
        $this->description = $this->get_option('description');
        if ($this->isTest()) {
            $this->description .= ' ' . __('Test mode: no money is moved.', 'pix-service');
        }
        add_action("woocommerce_update_options_payment_gateways_$this->id", [$this, 'process_admin_options']);
    }

    public function init_form_fields(): void
    {
        $this->form_fields = [
            'enabled' => ['title' => __('Enabled', 'pix-service'), 'type' => 'checkbox', 'default' => 'no'],
            'title' => ['title' => __('Title', 'pix-service'), 'type' => 'text', 'default' => 'Pix'],
            'description' => [
                'title' => __('Description', 'pix-service'),
                'type' => 'textarea',
                'default' => __('Pay with the app of your bank: the code comes with the order.', 'pix-service'),
            ],
            'base_url' => [
                'title' => __('Address of the service', 'pix-service'),
                'type' => 'text',
                'placeholder' => 'https://pix.example.com',
            ],
            'api_key' => [
                'title' => __('API key', 'pix-service'),
                'type' => 'password',
                'description' => __('pk_test_… plays payments, pk_live_… takes money.', 'pix-service'),
            ],
            'webhook_secret' => [
                'title' => __('Webhook secret', 'pix-service'),
                'type' => 'password',
                /* translators: %s: URL */
                'description' => sprintf(__('Left empty, it is set up by a key that has the permission webhooks:manage. Otherwise make an endpoint for %s, and paste its whsec_… here.', 'pix-service'), Receiver::url()),
            ],
            'expiration_minutes' => [
                'title' => __('Minutes to pay', 'pix-service'),
                'type' => 'number',
                'default' => '60',
                'custom_attributes' => ['min' => '5', 'max' => '43200'],
            ],
        ];
    }

    public function is_available(): bool
    {
        return parent::is_available()
            && get_woocommerce_currency() === 'BRL'
            && $this->get_option('base_url') !== ''
            && $this->get_option('api_key') !== ''
            // An order that was paid would wait for ever.
            && $this->get_option('webhook_secret') !== '';
    }

    public function isTest(): bool
    {
        return str_starts_with($this->get_option('api_key'), 'pk_test_');
    }

    public function process_admin_options(): bool
    {
        $names = ['base_url', 'api_key', 'webhook_secret'];
        $settings = fn (): array => array_map(fn (string $name) => $this->get_option($name), $names);
        [$url, $key, $secret] = $settings();
        $saved = parent::process_admin_options();
        [$newUrl, $newKey, $newSecret] = $settings();
        $isElsewhere = [$url, $key] !== [$newUrl, $newKey];
        if ($newUrl !== '' && $newKey !== '' && ($newSecret === '' || ($isElsewhere && $newSecret === $secret))) {
            $this->setUpWebhooks();
        }
        return $saved;
    }

    /** @return array{result: string, redirect?: string} */
    public function process_payment($order_id): array
    {
        try {
            $order = Orders::lock((int) $order_id);
            if ($order === null) {
                throw new \RuntimeException('The order is gone.');
            }
            if (!$order->is_paid()) {
                $this->charge($order);
            }
        } catch (\RuntimeException | \InvalidArgumentException $error) {
            $this->log($error, (int) $order_id);
            wc_add_notice($error instanceof InvalidRequestError
                ? __('The Pix could not be made. Please check your name, e-mail and CPF or CNPJ.', 'pix-service')
                : __('The Pix could not be made. Nothing was charged: please try again in a moment.', 'pix-service'), 'error');
            return ['result' => 'failure'];
        }
        WC()->cart?->empty_cart();
        return ['result' => 'success', 'redirect' => $this->get_return_url($order)];
    }

    /** Asks the service, for a webhook that never came. */
    public function lookUp(int $orderId): void
    {
        $order = Orders::lock($orderId);
        if ($order === null) {
            return;
        }
        try {
            $payment = $this->pix()->payment($order->get_meta(Orders::PAYMENT));
        } catch (PixException | \InvalidArgumentException $error) {
            $order->add_order_note('Pix: ' . $error->getMessage());
            return;
        }
        match ($payment['status']) {
            'completed' => Orders::paid($order, $payment),
            'expired', 'cancelled' => Orders::ended($order, $payment['id']),
            default => $order->add_order_note("Pix: $payment[status]"),
        };
        $order->save();
    }

    /** Cancels what belongs to an order that is cancelled or deleted: its code must not be paid. */
    public function cancel(int $orderId): void
    {
        $order = wc_get_order($orderId);
        if (!$order instanceof \WC_Order || $order->get_meta(Orders::IS_OPEN) !== 'yes') {
            return;
        }
        try {
            $this->pix()->cancelPayment($order->get_meta(Orders::PAYMENT));
            $order->delete_meta_data(Orders::IS_OPEN);
            $order->delete_meta_data(Orders::QR);
            $order->save();
        } catch (PixException | \InvalidArgumentException $error) {
            $this->log($error, $orderId);
            /* translators: %s: message of the service */
            $order->add_order_note(sprintf(__('The Pix could not be cancelled, and may still be paid: %s', 'pix-service'), $error->getMessage()));
        }
    }

    public function process_refund($order_id, $amount = null, $reason = ''): bool|\WP_Error
    {
        try {
            $order = Orders::lock((int) $order_id);
            if ($order === null || $order->get_transaction_id() === '') {
                return new \WP_Error(self::ID, __('The order has no Pix that was paid.', 'pix-service'));
            }
            // The total has this refund already. If the response is lost, the same again is the same refund.
            $key = self::keyOf($order, ['refund', $amount, $order->get_total_refunded(), count($order->get_meta(Orders::FAILED_REFUND, false))]);
            $reason = mb_substr((string) $reason, 0, 140);
            $refund = $this->pix()->refundPayment($order->get_transaction_id(), round((float) $amount, 2), $reason === '' ? null : $reason, $key);
        } catch (ApiError $error) {
            return new \WP_Error(self::ID, $error->getMessage());
        } catch (\RuntimeException | \InvalidArgumentException $error) {
            $this->log($error, (int) $order_id);
            return new \WP_Error(self::ID, __('The Pix service did not answer. Refund again: it happens once.', 'pix-service'));
        }
        if ($refund['status'] === 'failed') {
            $order->add_meta_data(Orders::FAILED_REFUND, $refund['id']);
            $order->save();
            return new \WP_Error(self::ID, $refund['failureReason'] ?? 'failed');
        }
        $this->madeRefund = $refund['id'];
        return true;
    }

    /** WooCommerce names its refund once the gateway has made its own. */
    public function nameRefund(int $refundId): void
    {
        $refund = wc_get_order($refundId);
        if ($this->madeRefund !== null && $refund instanceof \WC_Order_Refund) {
            $refund->update_meta_data(Orders::REFUND, $this->madeRefund);
            $refund->save();
            $this->madeRefund = null;
        }
    }

    /** The same order again has the same payment, as long as that can be paid. */
    private function charge(\WC_Order $order): void
    {
        if ($order->get_currency() !== 'BRL') {
            throw new \InvalidArgumentException('Pix is in BRL alone.');
        }
        $pix = $this->pix();
        $current = $order->get_meta(Orders::PAYMENT);
        if ($current !== '') {
            try {
                $payment = $pix->payment($current);
            } catch (NotFoundError) {
                // The key is of another mode since.
                $payment = ['status' => 'cancelled'];
            }
            if ($payment['status'] === 'completed') {
                Orders::paid($order, $payment);
                $order->save();
                return;
            }
            if ($payment['status'] === 'pending') {
                if (Pix::centavos($payment['amount']) === Orders::centavos($order)) {
                    return;
                }
                $pix->cancelPayment($current);
            }
        }
        do {
            $body = $this->paymentFor($order);
            $payment = $pix->createPayment($body, self::keyOf($order, [$current, $body]));
            $current = $payment['id'];
            // What is repeated long after the response was lost may have expired, by the clock of the service.
        } while (strtotime($payment['expiresAt']) <= time() && $pix->payment($current)['status'] === 'expired');
        foreach ([Orders::PAYMENT => 'id', Orders::CODE => 'pixCopyPaste', Orders::QR => 'pixQrCodeBase64', Orders::CHECKOUT => 'checkoutUrl'] as $meta => $name) {
            $order->update_meta_data($meta, $payment[$name] ?? '');
        }
        $order->update_meta_data(Orders::IS_OPEN, 'yes');
        $order->set_payment_method($this);
        $order->update_status('on-hold', __('Awaiting the Pix.', 'pix-service'));
    }

    /** @return array<string, mixed> */
    private function paymentFor(\WC_Order $order): array
    {
        $document = $order->get_meta('_billing_cpf') ?: $order->get_meta('_billing_cnpj');
        return [
            'amount' => Orders::centavos($order) / 100,
            'externalId' => (string) $order->get_id(),
            /* translators: 1: number of the order 2: name of the shop */
            'description' => mb_substr(sprintf(__('Order %1$s · %2$s', 'pix-service'), $order->get_order_number(), wp_specialchars_decode(get_bloginfo('name'), ENT_QUOTES)), 0, 140),
            'expirationMinutes' => (int) ($this->get_option('expiration_minutes') ?: 60),
            // Other shops may have an order of the same number.
            'metadata' => ['orderKey' => $order->get_order_key()],
            'payer' => (object) array_filter([
                'name' => mb_substr(trim($order->get_formatted_billing_full_name()), 0, 200),
                'email' => $order->get_billing_email(),
                'document' => is_string($document) ? $document : '',
            ]),
        ];
    }

    private function setUpWebhooks(): void
    {
        try {
            $pix = $this->pix();
            $url = Receiver::url();
            $mine = array_filter($pix->webhookEndpoints(), static fn (array $endpoint) => $endpoint['url'] === $url);
            $endpoint = $mine === []
                ? $pix->createWebhookEndpoint(['name' => 'WooCommerce', 'url' => $url, 'events' => Receiver::EVENTS])
                : $pix->rotateWebhookSecret(reset($mine)['id']);
            $this->update_option('webhook_secret', $endpoint['secret']);
            \WC_Admin_Settings::add_message(__('The Pix service sends its webhooks to this shop.', 'pix-service'));
        } catch (PermissionDenied) {
            /* translators: %s: URL */
            \WC_Admin_Settings::add_error(sprintf(__('The key lacks the permission webhooks:manage: make an endpoint for %s in the Pix service, and paste its secret.', 'pix-service'), Receiver::url()));
        } catch (PixException | \InvalidArgumentException $error) {
            \WC_Admin_Settings::add_error('Pix: ' . $error->getMessage());
        }
    }

    private function pix(): Pix
    {
        return new Pix($this->get_option('api_key'), $this->get_option('base_url'), maxRetries: 1, transport: new CurlTransport(self::TIMEOUT_SECONDS));
    }

    /** @param array<mixed> $parts */
    private static function keyOf(\WC_Order $order, array $parts): string
    {
        return 'wc-' . hash('sha256', json_encode([$order->get_order_key(), ...$parts], JSON_THROW_ON_ERROR));
    }

    private function log(\Throwable $error, int $orderId): void
    {
        $trace = $error instanceof ApiError ? " ($error->errorCode, $error->traceId)" : '';
        wc_get_logger()->error("Order $orderId: {$error->getMessage()}$trace", ['source' => self::ID]);
    }
}
