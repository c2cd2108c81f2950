<?php

declare(strict_types=1);

namespace PixService;

/** Everything that this package throws, but for errors of its arguments. */
class PixException extends \RuntimeException
{
}

/** No response came: the network failed, or the time was over. Whether the service did its work is unknown. */
final class ConnectionFailed extends PixException
{
    public function __construct(
        string $message,
        int $code = 0,
        ?\Throwable $previous = null,
        /** How often it is worth sending the request again, at most. */
        public readonly int $worthRetries = PHP_INT_MAX,
    ) {
        parent::__construct($message, $code, $previous);
    }
}

/** The webhook is forged, altered or too old. Respond with 401. */
final class WebhookVerificationError extends PixException
{
}

/** The service refused the request, or failed. Decide by `errorCode`: docs/errors.md of the service lists them all. */
class ApiError extends PixException
{
    public function __construct(
        string $message,
        public readonly int $status,
        public readonly string $errorCode,
        public readonly ?string $traceId,
        /** Seconds. */
        public readonly ?int $retryAfter,
        /** The page that explains the code. */
        public readonly ?string $helpUrl,
    ) {
        parent::__construct($message, $status);
    }

    /** @internal */
    public static function of(Response $response, string $baseUrl): self
    {
        $body = json_decode($response->body, true);
        $message = is_array($body) && is_string($body['message'] ?? null) ? $body['message'] : null;
        $seconds = $response->headers['retry-after'] ?? '';
        preg_match('/<([^>]*)>; rel="help"/', $response->headers['link'] ?? '', $link);
        preg_match('#^https?://[^/]+#', $baseUrl, $origin);
        $kind = self::kindOf($response->status);
        return new $kind(
            $message ?? "The response has status $response->status.",
            $response->status,
            $response->headers['x-error-code'] ?? 'unknown',
            $response->headers['x-trace-id'] ?? null,
            ctype_digit($seconds) ? (int) $seconds : null,
            match (true) {
                !isset($link[1]) => null,
                str_starts_with($link[1], '/') => ($origin[0] ?? '') . $link[1],
                default => $link[1],
            },
        );
    }

    /** @return class-string<self> */
    private static function kindOf(int $status): string
    {
        return match ($status) {
            400, 413, 415, 422 => InvalidRequestError::class,
            401 => AuthenticationError::class,
            403 => PermissionDenied::class,
            404 => NotFoundError::class,
            409 => ConflictError::class,
            429 => RateLimitError::class,
            default => $status >= 500 ? ServiceError::class : self::class,
        };
    }
}

/** 400, 413, 415, 422: the message names each field and the rule that it breaks. */
final class InvalidRequestError extends ApiError
{
}

/** 401 */
final class AuthenticationError extends ApiError
{
}

/** 403 */
final class PermissionDenied extends ApiError
{
}

/** 404 */
final class NotFoundError extends ApiError
{
}

/** 409: the state of the payment does not allow it. */
final class ConflictError extends ApiError
{
}

/** 429 */
final class RateLimitError extends ApiError
{
}

/** 5xx, after every retry. */
final class ServiceError extends ApiError
{
}
