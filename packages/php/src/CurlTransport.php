<?php

declare(strict_types=1);

namespace PixService;

final class CurlTransport implements Transport
{
    /** The service sends something every 15 seconds. */
    private const SILENCE_SECONDS = 40;

    public function __construct(private readonly float $timeoutSeconds = 30.0)
    {
    }

    public function send(string $method, string $url, array $headers, ?string $body): Response
    {
        $received = [];
        $curl = self::open($url, $headers, $received);
        curl_setopt_array($curl, [
            CURLOPT_CUSTOMREQUEST => $method,
            CURLOPT_RETURNTRANSFER => true,
            CURLOPT_TIMEOUT_MS => (int) ($this->timeoutSeconds * 1000),
        ]);
        if ($body !== null) {
            curl_setopt($curl, CURLOPT_POSTFIELDS, $body);
        }
        $text = curl_exec($curl);
        if (!is_string($text)) {
            throw new ConnectionFailed(
                "No response from $url: " . curl_error($curl),
                worthRetries: match (curl_errno($curl)) {
                    CURLE_SSL_CACERT => 0,
                    CURLE_OPERATION_TIMEDOUT => 1,
                    default => PHP_INT_MAX,
                },
            );
        }
        return new Response(curl_getinfo($curl, CURLINFO_RESPONSE_CODE), $received, $text);
    }

    public function stream(string $url, array $headers): iterable
    {
        $received = [];
        $pieces = [];
        $curl = self::open($url, $headers, $received);
        curl_setopt_array($curl, [
            CURLOPT_LOW_SPEED_LIMIT => 1,
            CURLOPT_LOW_SPEED_TIME => self::SILENCE_SECONDS,
            CURLOPT_WRITEFUNCTION => static function ($_curl, string $piece) use (&$pieces): int {
                $pieces[] = $piece;
                return strlen($piece);
            },
        ]);
        $multi = curl_multi_init();
        curl_multi_add_handle($multi, $curl);
        try {
            do {
                curl_multi_exec($multi, $isRunning);
                $status = curl_getinfo($curl, CURLINFO_RESPONSE_CODE);
                if ($status >= 300 && !$isRunning) {
                    throw ApiError::of(new Response($status, $received, implode('', $pieces)), $url);
                }
                if ($status > 0 && $status < 300) {
                    yield from array_splice($pieces, 0);
                }
                if ($isRunning) {
                    curl_multi_select($multi, 1.0);
                }
            } while ($isRunning);
        } finally {
            curl_multi_remove_handle($multi, $curl);
        }
        throw new ConnectionFailed("The connection to $url ended: " . curl_error($curl));
    }

    /**
     * @param array<string, string> $headers
     * @param array<string, string> $received
     */
    private static function open(string $url, array $headers, array &$received): \CurlHandle
    {
        $curl = curl_init();
        curl_setopt_array($curl, [
            CURLOPT_URL => $url,
            CURLOPT_FOLLOWLOCATION => false,
            CURLOPT_ENCODING => '',
            CURLOPT_HTTPHEADER => array_map(
                static fn (string $name, string $value): string => "$name: $value",
                array_keys($headers),
                $headers,
            ),
            CURLOPT_HEADERFUNCTION => static function ($_curl, string $line) use (&$received): int {
                [$name, $value] = explode(':', $line, 2) + [1 => null];
                if ($value !== null) {
                    $received[strtolower(trim($name))] = trim($value);
                }
                return strlen($line);
            },
        ]);
        return $curl;
    }
}
