<?php

declare(strict_types=1);

namespace PixService;

/** @phpstan-import-type Event from Types */
final class Webhook
{
    /**
     * Returns the event of a webhook that the service signed (Standard Webhooks).
     *
     * An event may come twice: deduplicate by its `id`. During a rotation, pass both secrets. At an endpoint that lists them, a
     * `type` that begins with `recurrence_` makes it an event of a recurrence, and `unmatched_pix_received` one of the books.
     *
     * @param string $body What came, unparsed: `file_get_contents('php://input')`.
     * @param iterable<string, mixed> $headers `getallheaders()`, `$_SERVER`, or those of a framework, names in any case.
     * @param string|list<string> $secret `whsec_…`
     * @return Event
     * @throws WebhookVerificationError
     */
    public static function verify(
        mixed $body,
        iterable $headers,
        #[\SensitiveParameter] string|array $secret,
        int $toleranceSeconds = 300,
    ): array {
        if (!is_string($body)) {
            throw new \TypeError(
                'body must be the raw bytes of the request, which were signed: not parsed JSON. They are'
                . " file_get_contents('php://input') in PHP, and \$request->getContent() in Laravel and Symfony.",
            );
        }
        $found = self::textsOf($headers);
        foreach (['webhook-id', 'webhook-timestamp', 'webhook-signature'] as $name) {
            if (($found[$name] ?? '') === '') {
                throw new WebhookVerificationError("$name is missing");
            }
        }
        $timestamp = $found['webhook-timestamp'];
        if (!ctype_digit($timestamp) || abs(time() - (int) $timestamp) > $toleranceSeconds) {
            throw new WebhookVerificationError('webhook-timestamp is not of now');
        }
        $signed = $found['webhook-id'] . ".$timestamp.$body";
        foreach ((array) $secret as $each) {
            $expected = 'v1,' . base64_encode(hash_hmac('sha256', $signed, self::bytesOf($each), true));
            foreach (explode(' ', $found['webhook-signature']) as $given) {
                if (hash_equals($expected, $given)) {
                    return json_decode($body, true, flags: JSON_THROW_ON_ERROR);
                }
            }
        }
        throw new WebhookVerificationError('webhook-signature is not of this body and secret');
    }

    /**
     * Names headers in lower case; `$_SERVER` has them as `HTTP_WEBHOOK_ID`. A header that came several times is a list.
     *
     * @param iterable<string, mixed> $headers
     * @return array<string, string>
     */
    private static function textsOf(iterable $headers): array
    {
        $texts = [];
        foreach ($headers as $name => $value) {
            $plain = preg_replace('/^http-/', '', str_replace('_', '-', strtolower((string) $name)));
            if (is_string($value) || is_array($value)) {
                $texts[$plain] = implode(' ', array_filter((array) $value, 'is_string'));
            }
        }
        return $texts;
    }

    private static function bytesOf(#[\SensitiveParameter] string $secret): string
    {
        $bytes = base64_decode(preg_replace('/^whsec_/', '', $secret) ?? '', true);
        if ($bytes === false || $bytes === '') {
            throw new \InvalidArgumentException('secret is not the one that the service shows: whsec_…');
        }
        return $bytes;
    }
}
