import { destination, type Logger as PinoLogger, pino, stdSerializers } from 'pino';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** Members that must never be logged, wherever they turn up in a logged object. */
const secretMembers = new Set([
  'payer',
  'payerName',
  'payerDocument',
  'payerEmail',
  'payerPhone',
  'document',
  'email',
  'phone',
  'metadata',
  'key',
  'apiKey',
  'x-api-key',
  'authorization',
  'cookie',
  'password',
  'secret',
  'body',
]);

/** What could be a key, an e-mail address, a CPF, a CNPJ or a phone number inside a text. */
const sensitiveText =
  /(pk_(?:test|live)_|whsec_)[0-9A-Za-z+/=]+|[^\s"'<>@]+@[^\s"'<>@]+|\+?\(?\d[\d ().-]{7,}\d|[0-9A-Z]{2}\.[0-9A-Z]{3}\.[0-9A-Z]{3}\/[0-9A-Z]{4}-\d{2}/g;

export const redactText = (text: string): string =>
  text.replace(sensitiveText, (_, prefix: string | undefined) => `${prefix ?? ''}[redacted]`);

/** Two levels deep: deeper objects are not logged. */
function redactMembers(logged: Record<string, unknown>, depth = 2): Record<string, unknown> {
  const redacted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(logged)) {
    redacted[name] = secretMembers.has(name) ? '[redacted]' : redactValue(value, depth);
  }
  return redacted;
}

function redactValue(value: unknown, depth: number): unknown {
  if (typeof value !== 'object' || value === null || value instanceof Error || value instanceof Date)
    return value;
  if (depth === 1 || Array.isArray(value)) return '[object]';
  return redactMembers(value as Record<string, unknown>, depth - 1);
}

/** A driver's message may quote the row that it failed on. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return redactText(String(error));
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = Reflect.get(error, 'code');
  return {
    type,
    message: redactText(message),
    stack: redactText(stack),
    ...(typeof code === 'string' && { code }),
  };
}

/** JSON lines. Buffered: at most a fifth of a second of them is lost with a killed process. */
export function createLogger(level: string, fileDescriptor = 1): Logger & { flush(): void } {
  const output = destination({ dest: fileDescriptor, sync: false, minLength: 4096, periodicFlush: 200 });
  const logger = pino(
    {
      level,
      base: null,
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: redactMembers },
      serializers: { error: serializeError, err: serializeError },
    },
    output,
  );
  return Object.assign(logger, {
    flush: () => {
      output.flushSync();
    },
  });
}
