<?php
// A shop that sells one thing: POST /orders, GET /orders/ID, and the webhook that says what was paid.
// php -S 127.0.0.1:4000 shop.php

declare(strict_types=1);

// An error that is shown comes with HTTP 200, and an event that failed would not come again.
ini_set('display_errors', '0');

foreach (['PIX_URL', 'PIX_API_KEY', 'WEBHOOK_SECRET'] as $name) {
    if (!getenv($name)) {
        throw new RuntimeException("$name is missing");
    }
}

/** Yours is a database. */
function store(?callable $change = null): array
{
    $file = fopen(sys_get_temp_dir() . '/pix-shop-' . getenv('PORT') . '.json', 'c+');
    flock($file, LOCK_EX);
    $data = json_decode(stream_get_contents($file) ?: '', true) ?? ['orders' => [], 'seen' => []];
    if ($change !== null) {
        $data = $change($data);
        ftruncate($file, 0);
        rewind($file);
        fwrite($file, json_encode($data, JSON_THROW_ON_ERROR));
    }
    fclose($file);
    return $data;
}

function createPayment(array $order): array
{
    $curl = curl_init(getenv('PIX_URL') . '/v1/payments');
    curl_setopt_array($curl, [
        CURLOPT_RETURNTRANSFER => true,
        CURLOPT_TIMEOUT => 30,
        CURLOPT_HTTPHEADER => [
            'X-API-Key: ' . getenv('PIX_API_KEY'),
            'Content-Type: application/json',
            // The order's own id: whoever asks again for an order whose response was lost gets the same payment.
            'Idempotency-Key: ' . $order['id'],
        ],
        CURLOPT_POSTFIELDS => json_encode([
            'amount' => $order['amount'],
            'externalId' => $order['id'],
            'description' => 'T-shirt',
        ], JSON_THROW_ON_ERROR),
    ]);
    $text = curl_exec($curl);
    if ($text === false) {
        throw new RuntimeException(curl_error($curl));
    }
    $payment = json_decode($text, true, flags: JSON_THROW_ON_ERROR);
    if (curl_getinfo($curl, CURLINFO_RESPONSE_CODE) !== 201) {
        throw new RuntimeException($payment['message']);
    }
    return $payment;
}

/** The event, or null when it is forged or older than five minutes. */
function verify(string $body): ?array
{
    $timestamp = $_SERVER['HTTP_WEBHOOK_TIMESTAMP'] ?? '';
    if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > 300) {
        return null;
    }
    $secret = base64_decode(str_replace('whsec_', '', (string) getenv('WEBHOOK_SECRET')));
    $signed = ($_SERVER['HTTP_WEBHOOK_ID'] ?? '') . ".$timestamp.$body";
    $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, $secret, true));
    foreach (explode(' ', $_SERVER['HTTP_WEBHOOK_SIGNATURE'] ?? '') as $given) {
        if (hash_equals($expected, $given)) {
            return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
        }
    }
    return null;
}

function reply(int $status, ?array $body = null): void
{
    http_response_code($status);
    header('Content-Type: application/json');
    echo $body === null ? '' : json_encode($body, JSON_THROW_ON_ERROR);
}

$path = parse_url($_SERVER['REQUEST_URI'], PHP_URL_PATH);
$route = $_SERVER['REQUEST_METHOD'] . ' ' . $path;

if ($route === 'POST /orders') {
    $order = ['id' => bin2hex(random_bytes(16)), 'amount' => 19.9, 'status' => 'waiting'];
    store(fn (array $data) => ['orders' => [...$data['orders'], $order['id'] => $order]] + $data);
    $payment = createPayment($order);
    reply(201, [...$order, 'pixCopyPaste' => $payment['pixCopyPaste']]);
} elseif ($route === 'POST /webhook') {
    $event = verify(file_get_contents('php://input'));
    if ($event === null) {
        reply(401);
        return;
    }
    store(function (array $data) use ($event): array {
        $id = $event['data']['externalId'] ?? '';
        $isNew = !in_array($event['id'], $data['seen'], true);
        if ($isNew && isset($data['orders'][$id]) && $event['type'] === 'payment_completed') {
            $data['orders'][$id]['status'] = 'paid';
        }
        $data['seen'][] = $event['id'];
        return $data;
    });
    reply(204);
} elseif (preg_match('#^GET /orders/(\w+)$#', $route, $found) === 1) {
    $order = store()['orders'][$found[1]] ?? null;
    reply($order === null ? 404 : 200, $order);
} else {
    reply(404);
}
