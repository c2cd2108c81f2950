<?php

declare(strict_types=1);

namespace PixService;

/**
 * What failed for a reason that passes is sent again, where nothing can happen twice. Amounts are in BRL, as `int` or `float`;
 * `Pix::centavos` compares them. Members of requests and responses are in `Types`.
 *
 * @phpstan-import-type CreatePayment from Types
 * @phpstan-import-type UpdatePayment from Types
 * @phpstan-import-type CreatePaymentBatch from Types
 * @phpstan-import-type Payment from Types
 * @phpstan-import-type PaymentBatch from Types
 * @phpstan-import-type PaymentBatchWithItems from Types
 * @phpstan-import-type CreateRecurrence from Types
 * @phpstan-import-type ChargeRecurrence from Types
 * @phpstan-import-type Recurrence from Types
 * @phpstan-import-type PaymentToken from Types
 * @phpstan-import-type Refund from Types
 * @phpstan-import-type Event from Types
 * @phpstan-import-type Dispute from Types
 * @phpstan-import-type DefendDispute from Types
 * @phpstan-import-type DisputeDetail from Types
 * @phpstan-import-type DisputeDocument from Types
 * @phpstan-import-type DisputeEvidence from Types
 * @phpstan-import-type CreatePaymentLink from Types
 * @phpstan-import-type PaymentLink from Types
 * @phpstan-import-type ReceivedSandboxPix from Types
 * @phpstan-import-type TestClock from Types
 * @phpstan-import-type CreateWebhookEndpoint from Types
 * @phpstan-import-type UpdateWebhookEndpoint from Types
 * @phpstan-import-type WebhookEndpoint from Types
 * @phpstan-import-type WebhookEndpointWithSecret from Types
 * @phpstan-import-type WebhookEndpointTest from Types
 */
final class Pix
{
    private const LONGEST_WAIT_SECONDS = 30;

    private readonly string $baseUrl;

    public function __construct(
        #[\SensitiveParameter] private readonly string $apiKey,
        string $baseUrl,
        private readonly int $maxRetries = 2,
        private readonly Transport $transport = new CurlTransport(),
    ) {
        // cURL would send a line break as it is, and what follows as another header.
        if (preg_match('/^pk_(test|live)_[\x21-\x7e]+$/D', $apiKey) !== 1) {
            throw new \InvalidArgumentException('apiKey must be pk_test_… or pk_live_…');
        }
        if (preg_match('#^https?://#', $baseUrl) !== 1) {
            throw new \InvalidArgumentException('baseUrl must be a URL');
        }
        $this->baseUrl = rtrim($baseUrl, '/');
    }

    /** An amount in centavos, in which amounts can be compared and added. */
    public static function centavos(int|float $amount): int
    {
        return (int) round($amount * 100);
    }

    /**
     * @param CreatePayment $payment
     * @return Payment
     */
    public function createPayment(array $payment, ?string $idempotencyKey = null): array
    {
        return $this->write('/v1/payments', $payment, $idempotencyKey);
    }

    /** @return Payment */
    public function payment(string $id): array
    {
        return $this->send('GET', self::path('payments', $id));
    }

    /**
     * Newest first, page by page as you iterate: `status`, `externalId`, `createdFrom`, `paidFrom`, `refunded`, `limit` and others.
     *
     * @param array<string, scalar|null> $filter
     * @return \Generator<Payment>
     */
    public function payments(array $filter = []): \Generator
    {
        return $this->pages('/v1/payments', 'cursor', $filter);
    }

    /**
     * Give the `revision` that you have seen, and it is changed only if nobody else did so meanwhile.
     *
     * @param UpdatePayment $changes
     * @return Payment
     */
    public function updatePayment(string $id, array $changes, ?string $idempotencyKey = null): array
    {
        return $this->write(self::path('payments', $id), $changes, $idempotencyKey, 'PATCH');
    }

    /** @return Payment */
    public function cancelPayment(string $id, ?string $idempotencyKey = null): array
    {
        return $this->write(self::path('payments', $id, '/cancel'), [], $idempotencyKey);
    }

    /**
     * Without an amount, all that is left.
     *
     * @return Refund
     */
    public function refundPayment(
        string $id,
        int|float|null $amount = null,
        ?string $reason = null,
        ?string $idempotencyKey = null,
    ): array {
        $body = self::given(['amount' => $amount, 'reason' => $reason]);
        return $this->write(self::path('payments', $id, '/refunds'), $body, $idempotencyKey);
    }

    /** @return \Generator<Refund> */
    public function refunds(string $id): \Generator
    {
        return $this->pages(self::path('payments', $id, '/refunds'), 'cursor', []);
    }

    /**
     * Lists payments, newest first, page by page as you iterate; takes `status`, `search`, `createdFrom` and others.
     *
     * @param array<string, scalar|null> $filter
     * @return \Generator<Refund>
     */
    public function listRefunds(array $filter = []): \Generator
    {
        return $this->pages('/v1/refunds', 'cursor', $filter);
    }

    /**
     * Has the payer's bank asked again for a debit that failed, on that day.
     *
     * @return Payment
     */
    public function retryPayment(string $id, string $date, ?string $idempotencyKey = null): array
    {
        return $this->write(self::path('payments', $id, '/retry'), ['date' => $date], $idempotencyKey);
    }

    /**
     * Makes a token for the payer's browser, which reads this payment and nothing else.
     *
     * @return PaymentToken
     */
    public function paymentToken(string $id): array
    {
        return $this->send('POST', self::path('payments', $id, '/token'));
    }

    /**
     * Many payments, or instalments of one, made one after the other.
     *
     * @param CreatePaymentBatch $batch
     * @return PaymentBatch
     */
    public function createBatch(array $batch, ?string $idempotencyKey = null): array
    {
        return $this->write('/v1/payment-batches', $batch, $idempotencyKey);
    }

    /** @return PaymentBatchWithItems */
    public function batch(string $id): array
    {
        return $this->send('GET', self::path('payment-batches', $id));
    }

    /**
     * Asks a payer to permit recurring debits, each of which is a payment.
     *
     * @param CreateRecurrence $recurrence
     * @return Recurrence
     */
    public function createRecurrence(array $recurrence, ?string $idempotencyKey = null): array
    {
        return $this->write('/v1/recurrences', $recurrence, $idempotencyKey);
    }

    /** @return Recurrence */
    public function recurrence(string $id): array
    {
        return $this->send('GET', self::path('recurrences', $id));
    }

    /**
     * Newest first, page by page as you iterate: `status`, `limit`.
     *
     * @param array<string, scalar|null> $filter
     * @return \Generator<Recurrence>
     */
    public function recurrences(array $filter = []): \Generator
    {
        return $this->pages('/v1/recurrences', 'cursor', $filter);
    }

    /** @return Recurrence */
    public function cancelRecurrence(string $id, ?string $idempotencyKey = null): array
    {
        return $this->write(self::path('recurrences', $id, '/cancel'), [], $idempotencyKey);
    }

    /**
     * @param ChargeRecurrence $debit
     * @return Payment
     */
    public function chargeRecurrence(string $id, array $debit, ?string $idempotencyKey = null): array
    {
        return $this->write(self::path('recurrences', $id, '/payments'), $debit, $idempotencyKey);
    }

    /** @return \Generator<Payment> */
    public function recurrencePayments(string $id): \Generator
    {
        return $this->pages(self::path('recurrences', $id, '/payments'), 'cursor', []);
    }

    /**
     * What payers contest: with `open` the earliest deadline first, otherwise newest first.
     *
     * @param array<string, scalar|null> $filter
     * @return \Generator<Dispute>
     */
    public function disputes(array $filter = []): \Generator
    {
        return $this->pages('/v1/disputes', 'cursor', $filter);
    }

    /** @return DisputeDetail */
    public function dispute(string $id): array
    {
        return $this->send('GET', self::path('disputes', $id));
    }

    /**
     * Sends a statement and documents to the provider; their content is base64.
     *
     * @param DefendDispute $defence
     * @return DisputeDetail
     */
    public function defendDispute(string $id, array $defence, ?string $idempotencyKey = null): array
    {
        return $this->write(self::path('disputes', $id, '/defence'), $defence, $idempotencyKey);
    }

    /**
     * Gives the money back.
     *
     * @return DisputeDetail
     */
    public function acceptDispute(string $id, ?string $idempotencyKey = null): array
    {
        return $this->write(self::path('disputes', $id, '/accept'), [], $idempotencyKey);
    }

    /** @return DisputeDocument */
    public function disputeDocument(string $id, string $documentId): array
    {
        return $this->send('GET', self::path('disputes', $id, '/documents/' . rawurlencode($documentId)));
    }

    /**
     * What is known of its payment.
     *
     * @return DisputeEvidence
     */
    public function disputeEvidence(string $id): array
    {
        return $this->send('GET', self::path('disputes', $id, '/evidence'));
    }

    /**
     * A page that makes a payment for each payer who opens it. Never repeated: each is another link.
     *
     * @param CreatePaymentLink $link
     * @return PaymentLink
     */
    public function createPaymentLink(array $link): array
    {
        return $this->send('POST', '/v1/payment-links', $link, isRepeatable: false);
    }

    /** @return PaymentLink */
    public function paymentLink(string $id): array
    {
        return $this->send('GET', self::path('payment-links', $id));
    }

    /**
     * Newest first, page by page as you iterate: `state`, `search`, `limit`.
     *
     * @param array<string, scalar|null> $filter
     * @return \Generator<PaymentLink>
     */
    public function paymentLinks(array $filter = []): \Generator
    {
        return $this->pages('/v1/payment-links', 'cursor', $filter);
    }

    /**
     * Lists the payments that it made, newest first.
     *
     * @return \Generator<Payment>
     */
    public function paymentLinkPayments(string $id): \Generator
    {
        return $this->pages(self::path('payment-links', $id, '/payments'), 'cursor', []);
    }

    /**
     * Ends it for good.
     *
     * @return PaymentLink
     */
    public function deactivatePaymentLink(string $id): array
    {
        return $this->send('POST', self::path('payment-links', $id, '/deactivate'));
    }

    /**
     * Lists events in their order after a `sequence`, so those that you may have missed.
     *
     * @return \Generator<Event>
     */
    public function events(?int $after = null, ?int $limit = null): \Generator
    {
        return $this->pages('/v1/events', 'after', ['after' => $after, 'limit' => $limit]);
    }

    /**
     * What is requested with a test key from now on, until the connection ends.
     *
     * Each has an `event` and its `data`: `request` a `ServedRequest`, `missed` the `count` of those that were too many to show,
     * `scope` whether `allNodes` are heard.
     *
     * @return \Generator<array{event: string, data: array<string, mixed>}>
     */
    public function requests(): \Generator
    {
        $unread = '';
        $event = '';
        foreach ($this->transport->stream("$this->baseUrl/v1/requests/stream", $this->headers()) as $piece) {
            $lines = explode("\n", $unread . $piece);
            $unread = array_pop($lines);
            foreach ($lines as $line) {
                [$name, $value] = explode(': ', $line, 2) + [1 => ''];
                if ($name === 'event') {
                    $event = $value;
                } elseif ($name === 'data' && $event === 'error') {
                    $status = json_decode($value, true)['statusCode'] ?? 500;
                    throw ApiError::of(new Response($status, [], $value), $this->baseUrl);
                } elseif ($name === 'data') {
                    yield ['event' => $event, 'data' => json_decode($value, true, flags: JSON_THROW_ON_ERROR)];
                }
            }
        }
    }

    /**
     * Lists where events are sent, oldest first. The key needs the permission `webhooks:manage`.
     *
     * @return list<WebhookEndpoint>
     */
    public function webhookEndpoints(): array
    {
        return $this->send('GET', '/v1/webhook-endpoints')['data'];
    }

    /** @return WebhookEndpoint */
    public function webhookEndpoint(string $id): array
    {
        return $this->send('GET', self::path('webhook-endpoints', $id));
    }

    /**
     * The signing secret is shown only once. Never repeated: each is another endpoint.
     *
     * @param CreateWebhookEndpoint $endpoint
     * @return WebhookEndpointWithSecret
     */
    public function createWebhookEndpoint(array $endpoint): array
    {
        return $this->send('POST', '/v1/webhook-endpoints', $endpoint, isRepeatable: false);
    }

    /**
     * @param UpdateWebhookEndpoint $changes
     * @return WebhookEndpoint
     */
    public function updateWebhookEndpoint(string $id, array $changes): array
    {
        return $this->send('PATCH', self::path('webhook-endpoints', $id), $changes);
    }

    /** @return WebhookEndpoint */
    public function enableWebhookEndpoint(string $id): array
    {
        return $this->send('POST', self::path('webhook-endpoints', $id, '/enable'));
    }

    /** @return WebhookEndpoint */
    public function disableWebhookEndpoint(string $id): array
    {
        return $this->send('POST', self::path('webhook-endpoints', $id, '/disable'));
    }

    /**
     * The new secret is shown only once; the old one signs as well for 24 hours. Never repeated.
     *
     * @return WebhookEndpointWithSecret
     */
    public function rotateWebhookSecret(string $id): array
    {
        return $this->send('POST', self::path('webhook-endpoints', $id, '/rotate-secret'), isRepeatable: false);
    }

    /**
     * Sends an event about nothing and waits for the response.
     *
     * @return WebhookEndpointTest
     */
    public function testWebhookEndpoint(string $id): array
    {
        return $this->send('POST', self::path('webhook-endpoints', $id, '/test'), isRepeatable: false);
    }

    /** Deletes it for good. */
    public function deleteWebhookEndpoint(string $id): void
    {
        $this->send('DELETE', self::path('webhook-endpoints', $id), isRepeatable: false);
    }

    /**
     * Plays the payer of a test payment. Without an amount, all that is owed.
     *
     * @param array<string, string>|null $payer
     * @return Payment
     */
    public function sandboxPay(string $id, int|float|null $amount = null, ?array $payer = null): array
    {
        return $this->simulate(self::rest('payments', $id, '/pay'), ['amount' => $amount, 'payer' => $payer]);
    }

    /** @return Payment */
    public function sandboxExpire(string $id): array
    {
        return $this->simulate(self::rest('payments', $id, '/expire'));
    }

    /**
     * Takes money back. Without an amount, all that is left.
     *
     * @return Payment
     */
    public function sandboxReverse(string $id, int|float|null $amount = null, ?string $reason = null): array
    {
        return $this->simulate(self::rest('payments', $id, '/reverse'), ['amount' => $amount, 'reason' => $reason]);
    }

    /**
     * @param 'won'|'lost'|null $afterDefence
     * @return Payment
     */
    public function sandboxDispute(
        string $id,
        int|float|null $amount = null,
        ?int $defenceHours = null,
        ?string $afterDefence = null,
    ): array {
        $body = ['amount' => $amount, 'defenceHours' => $defenceHours, 'afterDefence' => $afterDefence];
        return $this->simulate(self::rest('payments', $id, '/dispute'), $body);
    }

    /**
     * @param 'won'|'lost' $outcome
     * @return Payment
     */
    public function sandboxCloseDispute(string $id, string $outcome): array
    {
        return $this->simulate(self::rest('payments', $id, '/dispute/close'), ['outcome' => $outcome]);
    }

    /**
     * Has the payer's bank answer a debit: `paid`, `no_balance`, `limit`, `account_closed`, `operational`, `already_paid`.
     *
     * @return Payment
     */
    public function sandboxAnswerDebit(string $id, string $outcome): array
    {
        return $this->simulate(self::rest('payments', $id, '/debit'), ['outcome' => $outcome]);
    }

    /** @return Recurrence */
    public function sandboxApproveRecurrence(string $id): array
    {
        return $this->simulate(self::rest('recurrences', $id, '/approve'));
    }

    /** @return Recurrence */
    public function sandboxRejectRecurrence(string $id): array
    {
        return $this->simulate(self::rest('recurrences', $id, '/reject'));
    }

    /** @return Recurrence */
    public function sandboxRevokeRecurrence(string $id): array
    {
        return $this->simulate(self::rest('recurrences', $id, '/revoke'));
    }

    /**
     * Pays the key directly, without a payment.
     *
     * @return ReceivedSandboxPix
     */
    public function sandboxReceivePix(int|float $amount): array
    {
        return $this->simulate('pix', ['amount' => $amount]);
    }

    /** @return TestClock */
    public function sandboxClock(): array
    {
        return $this->send('GET', '/v1/sandbox/clock');
    }

    /**
     * Moves the clock of test mode forward, by a duration such as `P4D` or to an instant.
     *
     * @return TestClock
     */
    public function sandboxAdvanceClock(?string $advance = null, ?string $to = null): array
    {
        return $this->simulate('clock', ['advance' => $advance, 'to' => $to]);
    }

    /**
     * Returns it to real time.
     *
     * @return TestClock
     */
    public function sandboxResetClock(): array
    {
        return $this->send('DELETE', '/v1/sandbox/clock');
    }

    private static function rest(string $noun, string $id, string $rest = ''): string
    {
        return "$noun/" . rawurlencode($id) . $rest;
    }

    private static function path(string $noun, string $id, string $rest = ''): string
    {
        return '/v1/' . self::rest($noun, $id, $rest);
    }

    /**
     * A second Pix would be a duplicate: what plays the payer is never repeated.
     *
     * @param array<string, mixed>|null $body
     */
    private function simulate(string $rest, ?array $body = null): mixed
    {
        return $this->send('POST', "/v1/sandbox/$rest", $body === null ? null : self::given($body), isRepeatable: false);
    }

    /** @param array<string, mixed> $body */
    private function write(string $path, array $body, ?string $idempotencyKey, string $method = 'POST'): mixed
    {
        // cURL leaves out a header that is empty, and a repeat without it happens twice.
        if ($idempotencyKey !== null && preg_match('/^(?=.*\S)[\x20-\x7e]{1,255}$/D', $idempotencyKey) !== 1) {
            throw new \InvalidArgumentException('idempotencyKey must be 1 to 255 printable ASCII characters');
        }
        return $this->send($method, $path, $body, $idempotencyKey ?? bin2hex(random_bytes(16)));
    }

    /**
     * @param array<string, scalar|null> $filter
     * @return \Generator<mixed>
     */
    private function pages(string $path, string $cursor, array $filter): \Generator
    {
        $texts = array_map(static fn (mixed $value) => is_bool($value) ? ($value ? 'true' : 'false') : $value, $filter);
        do {
            $query = http_build_query($texts, '', '&', PHP_QUERY_RFC3986);
            $page = $this->send('GET', $query === '' ? $path : "$path?$query");
            foreach ($page['data'] as $item) {
                yield $item;
            }
            $texts[$cursor] = $page['nextCursor'] ?? null;
        } while ($texts[$cursor] !== null);
    }

    /** @param array<string, mixed>|null $body */
    private function send(
        string $method,
        string $path,
        ?array $body = null,
        ?string $idempotencyKey = null,
        bool $isRepeatable = true,
    ): mixed {
        $json = $body === null ? null : self::json($body);
        for ($retries = 0;; $retries++) {
            try {
                return $this->attempt($method, $path, $json, $idempotencyKey);
            } catch (ApiError | ConnectionFailed $error) {
                $pause = $isRepeatable && $retries < $this->maxRetries ? self::pauseAfter($error, $retries) : null;
                if ($pause === null) {
                    throw $error;
                }
                usleep((int) ($pause * 1_000_000));
            }
        }
    }

    private function attempt(string $method, string $path, ?string $json, ?string $idempotencyKey): mixed
    {
        $headers = $this->headers();
        if ($json !== null) {
            $headers['Content-Type'] = 'application/json';
        }
        if ($idempotencyKey !== null) {
            $headers['Idempotency-Key'] = $idempotencyKey;
        }
        $response = $this->transport->send($method, $this->baseUrl . $path, $headers, $json);
        if ($response->status < 200 || $response->status >= 300) {
            throw ApiError::of($response, $this->baseUrl);
        }
        if ($response->body === '') {
            return null;
        }
        try {
            return json_decode($response->body, true, flags: JSON_THROW_ON_ERROR);
        } catch (\JsonException $cause) {
            throw new ConnectionFailed("The response from $this->baseUrl is not whole", 0, $cause);
        }
    }

    /** @return array<string, string> */
    private function headers(): array
    {
        return ['X-API-Key' => $this->apiKey];
    }

    /**
     * @param array<string, mixed> $body
     * @return array<string, mixed>
     */
    private static function given(array $body): array
    {
        return array_filter($body, static fn (mixed $value): bool => $value !== null);
    }

    /**
     * Amounts keep their two decimals, whatever `serialize_precision` of a php.ini would make of 19.9.
     *
     * @param array<string, mixed> $body
     */
    private static function json(array $body): string
    {
        $precision = ini_set('serialize_precision', '-1');
        try {
            return json_encode((object) $body, JSON_THROW_ON_ERROR | JSON_UNESCAPED_UNICODE);
        } finally {
            if ($precision !== false) {
                ini_set('serialize_precision', $precision);
            }
        }
    }

    /** Seconds until the next attempt; null when it would fail again. */
    private static function pauseAfter(ApiError|ConnectionFailed $error, int $retries): ?float
    {
        $usual = 0.5 * 2 ** $retries * random_int(750, 1250) / 1000;
        if ($error instanceof ConnectionFailed) {
            return $retries < $error->worthRetries ? $usual : null;
        }
        $mayPass = in_array($error->status, [408, 429], true)
            || $error->status >= 500
            || $error->errorCode === 'idempotency_key_in_flight';
        if (!$mayPass || ($error->retryAfter ?? 0) > self::LONGEST_WAIT_SECONDS) {
            return null;
        }
        return $error->retryAfter ?? $usual;
    }
}
