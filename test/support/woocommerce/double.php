<?php
// As much of WordPress and WooCommerce as the plugin uses, in memory. With WORDPRESS, the same tests run in the real ones.

declare(strict_types=1);

const ABSPATH = '/';
const DB_NAME = 'shop';

final class Hooks
{
    /** @var array<string, list<array{int, callable}>> */
    public static array $all = [];
    /** @var array<string, mixed> */
    public static array $options = [];
    /** @var list<array{notice: string}> */
    public static array $notices = [];
    /** @var array<int, WC_Order|WC_Order_Refund> As they were saved. */
    public static array $orders = [];
    /** @var array<int, list<string>> */
    public static array $notes = [];
}

if (!function_exists('mb_substr')) {
    /** PHP may lack its extension, and WordPress then has this too. */
    function mb_substr(string $text, int $start, ?int $length = null): string
    {
        return iconv_substr($text, $start, $length, 'UTF-8');
    }
}

function apply_filters(string $name, mixed $value = null, mixed ...$more): mixed
{
    $hooks = Hooks::$all[$name] ?? [];
    usort($hooks, fn ($a, $b) => $a[0] <=> $b[0]);
    foreach ($hooks as [, $hook]) {
        $value = $hook($value, ...$more);
    }
    return $value;
}

function do_action(string $name, mixed ...$given): void
{
    foreach (Hooks::$all[$name] ?? [] as [, $hook]) {
        $hook(...$given);
    }
}

function add_filter(string $name, callable $hook, int $priority = 10): void
{
    Hooks::$all[$name][] = [$priority, $hook];
}

function add_action(string $name, callable $hook, int $priority = 10): void
{
    add_filter($name, $hook, $priority);
}

function get_option(string $name, mixed $default = false): mixed
{
    return Hooks::$options[$name] ?? $default;
}

function update_option(string $name, mixed $value): void
{
    Hooks::$options[$name] = $value;
}

foreach (['__', 'esc_html__', 'esc_attr__'] as $name) {
    eval("function $name(string \$text, string \$domain): string { return \$text; }");
}
foreach (['esc_html_e', 'esc_attr_e'] as $name) {
    eval("function $name(string \$text, string \$domain): void { echo \$text; }");
}
foreach (['esc_html', 'esc_attr', 'esc_url', 'esc_textarea'] as $name) {
    eval("function $name(string \$text): string { return htmlspecialchars(\$text); }");
}

function wp_specialchars_decode(string $text): string
{
    return htmlspecialchars_decode($text);
}

function get_bloginfo(string $name): string
{
    return 'Loja';
}

function plugins_url(string $path, string $folder): string
{
    return "https://shop.example.com/$path";
}

function wp_enqueue_script(mixed ...$given): void
{
}

/** @param array<string, scalar> $query */
function add_query_arg(array $query, string $url): string
{
    return "$url&" . http_build_query($query);
}

function is_wp_error(mixed $value): bool
{
    return $value instanceof WP_Error;
}

function wc_add_notice(string $notice, string $kind): void
{
    Hooks::$notices[] = ['notice' => $notice];
}

function wc_get_notices(string $kind): array
{
    return Hooks::$notices;
}

function get_woocommerce_currency(): string
{
    return apply_filters('woocommerce_currency', 'BRL');
}

function wc_get_logger(): object
{
    return new class () {
        public function __call(string $name, array $given): void
        {
        }
    };
}

final class WP_Error
{
    public function __construct(string $code, private readonly string $message)
    {
    }

    public function get_error_message(): string
    {
        return $this->message;
    }
}

final class WC_Admin_Settings
{
    private static array $messages = [];

    public static function add_error(string $text): void
    {
        self::$messages[] = $text;
    }

    public static function add_message(string $text): void
    {
        self::$messages[] = $text;
    }

    public static function show_messages(): void
    {
        echo implode("\n", self::$messages);
    }
}

abstract class WC_Payment_Gateway
{
    public $id;
    public $title;
    public $description;
    public $method_title;
    public $method_description;
    public $supports;
    public $form_fields;
    private array $settings = [];
    private array $posted = [];

    public function init_settings(): void
    {
        $defaults = array_map(fn ($field) => $field['default'] ?? '', $this->form_fields);
        $this->settings = [...$defaults, ...get_option("woocommerce_{$this->id}_settings", [])];
    }

    public function get_option($name): string
    {
        return (string) $this->settings[$name];
    }

    public function update_option($name, $value): void
    {
        $this->settings[$name] = $value;
        update_option("woocommerce_{$this->id}_settings", $this->settings);
    }

    public function is_available(): bool
    {
        return $this->get_option('enabled') === 'yes';
    }

    public function set_post_data($posted): void
    {
        $this->posted = $posted;
    }

    public function process_admin_options(): bool
    {
        foreach (array_keys($this->form_fields) as $name) {
            $this->update_option($name, trim((string) ($this->posted["woocommerce_{$this->id}_$name"] ?? '')));
        }
        return true;
    }

    public function get_return_url($order): string
    {
        return $order->get_checkout_order_received_url();
    }
}

final class WC_Payment_Gateways
{
    private array $all = [];

    public function init(): void
    {
        $this->all = [];
    }

    public function payment_gateways(): array
    {
        foreach ($this->all ? [] : apply_filters('woocommerce_payment_gateways', []) as $class) {
            $gateway = new $class();
            $this->all[$gateway->id] = $gateway;
        }
        return $this->all;
    }
}

/** Getters and setters that only keep a value are made as they are called. */
class WC_Order
{
    protected int $id = 0;
    protected array $props = ['status' => 'pending', 'currency' => 'BRL', 'transaction_id' => '', 'total' => 0];
    /** @var list<array{string, string}> */
    private array $meta = [];

    public function __construct()
    {
        $this->props['order_key'] = 'wc_order_' . bin2hex(random_bytes(7));
    }

    public function __call(string $name, array $given): mixed
    {
        [$verb, $prop] = explode('_', $name, 2);
        if ($verb === 'set') {
            $this->props[$prop] = $given[0];
            return null;
        }
        return $this->props[$prop] ?? '';
    }

    public function get_id(): int
    {
        return $this->id;
    }

    public function get_order_number(): string
    {
        return (string) $this->id;
    }

    public function get_formatted_billing_full_name(): string
    {
        return "{$this->props['billing_first_name']} {$this->props['billing_last_name']}";
    }

    public function get_checkout_order_received_url(): string
    {
        return "https://shop.example.com/order-received/$this->id";
    }

    public function has_status(string|array $status): bool
    {
        return in_array($this->props['status'], (array) $status, true);
    }

    public function is_paid(): bool
    {
        return $this->has_status(['processing', 'completed']);
    }

    public function add_item(object $item): void
    {
    }

    public function save(): void
    {
        $this->id = $this->id ?: count(Hooks::$orders) + 1;
        Hooks::$orders[$this->id] = clone $this;
    }

    public function delete(bool $force): void
    {
        do_action('woocommerce_before_delete_order', $this->id);
        unset(Hooks::$orders[$this->id]);
    }

    public function get_data_store(): object
    {
        return new class () {
            public function read(WC_Order $order): void
            {
            }
        };
    }

    public function read_meta_data(bool $force): void
    {
    }

    public function get_meta(string $name, bool $isSingle = true): mixed
    {
        $values = array_values(array_filter($this->meta, fn ($each) => $each[0] === $name));
        return $isSingle ? $values[0][1] ?? '' : array_map(fn ($each) => (object) ['value' => $each[1]], $values);
    }

    public function add_meta_data(string $name, string $value): void
    {
        $this->meta[] = [$name, $value];
    }

    public function update_meta_data(string $name, string $value): void
    {
        $this->delete_meta_data($name);
        $this->add_meta_data($name, $value);
    }

    public function delete_meta_data(string $name): void
    {
        $this->meta = array_values(array_filter($this->meta, fn ($each) => $each[0] !== $name));
    }

    public function add_order_note(string $note): void
    {
        Hooks::$notes[$this->id][] = $note;
    }

    public function update_status(string $status, string $note = ''): void
    {
        if ($this->has_status($status)) {
            $this->save();
            return;
        }
        if ($note !== '') {
            $this->add_order_note($note);
        }
        $this->props['status'] = $status;
        $this->save();
        do_action("woocommerce_order_status_$status", $this->id);
    }

    public function payment_complete(string $transactionId): void
    {
        $this->props['transaction_id'] = $transactionId;
        $this->update_status('processing');
    }

    /** @return list<WC_Order_Refund> Newest first. */
    public function get_refunds(): array
    {
        $isMine = fn ($each) => $each instanceof WC_Order_Refund && $each->order_id === $this->id;
        return array_reverse(array_map(fn ($each) => clone $each, array_values(array_filter(Hooks::$orders, $isMine))));
    }

    public function get_total_refunded(): float
    {
        return array_sum(array_map(fn ($refund) => (float) $refund->get_amount(), $this->get_refunds()));
    }
}

final class WC_Order_Refund extends WC_Order
{
    public int $order_id = 0;
}

final class WC_Order_Item_Fee
{
    public function __call(string $name, array $given): void
    {
    }
}

function wc_create_order(): WC_Order
{
    $order = new WC_Order();
    $order->save();
    return $order;
}

function wc_get_order(int $id): WC_Order|false
{
    $order = Hooks::$orders[$id] ?? null;
    return $order ? clone $order : false;
}

function wc_get_order_notes(array $of): array
{
    return array_reverse(array_map(fn ($content) => (object) ['content' => $content], Hooks::$notes[$of['order_id']] ?? []));
}

function wc_create_refund(array $given): WC_Order_Refund|WP_Error
{
    $order = wc_get_order($given['order_id']);
    $refund = new WC_Order_Refund();
    $refund->order_id = $order->get_id();
    $refund->set_amount($given['amount']);
    if ($order->get_total_refunded() + $given['amount'] > (float) $order->get_total()) {
        return new WP_Error('error', 'Invalid refund amount.');
    }
    $refund->save();
    $done = $given['refund_payment']
        ? PixService\WooCommerce\gateway()->process_refund($order->get_id(), $given['amount'], $given['reason'])
        : true;
    if ($done !== true) {
        unset(Hooks::$orders[$refund->get_id()]);
        return $done;
    }
    do_action('woocommerce_refund_created', $refund->get_id());
    $order = wc_get_order($given['order_id']);
    if ($order->get_total_refunded() >= (float) $order->get_total()) {
        $order->update_status('refunded');
    }
    return $refund;
}

function WC(): object
{
    static $shop;
    return $shop ??= new class () {
        public ?object $cart = null;

        public function payment_gateways(): WC_Payment_Gateways
        {
            static $gateways;
            return $gateways ??= new WC_Payment_Gateways();
        }

        public function api_request_url(string $name): string
        {
            return "https://shop.example.com/?wc-api=$name";
        }
    };
}

$wpdb = new class () {
    public string $prefix = 'wp_';

    public function prepare(string $query, string ...$given): string
    {
        return $query;
    }

    public function get_var(string $query): string
    {
        return '1';
    }
};

require __DIR__ . '/../../../packages/woocommerce/pix-service.php';
do_action('plugins_loaded');
