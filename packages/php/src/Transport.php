<?php

declare(strict_types=1);

namespace PixService;

final class Response
{
    /** @param array<string, string> $headers Names in lower case. */
    public function __construct(
        public readonly int $status,
        public readonly array $headers,
        public readonly string $body,
    ) {
    }
}

/** How requests are sent: with cURL, unless you pass another, such as that of your framework. */
interface Transport
{
    /**
     * Follows no redirect: the key is for one address alone.
     *
     * @param array<string, string> $headers
     * @throws ConnectionFailed
     */
    public function send(string $method, string $url, array $headers, ?string $body): Response;

    /**
     * The body of a response that does not end, in pieces as they come.
     *
     * @param array<string, string> $headers
     * @return iterable<string>
     * @throws ConnectionFailed
     */
    public function stream(string $url, array $headers): iterable;
}
