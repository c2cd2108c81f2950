import { type DestinationStream, type Logger as PinoLogger, pino, stdSerializers } from 'pino';
import { currentThread } from './trace.ts';

export type Logger = Pick<PinoLogger, 'debug' | 'info' | 'warn' | 'error' | 'fatal'>;

/** Members that are never logged, wherever they appear. */
const secretMembers = new Set([
  'payer',
  'payerName',
  'payerDocument',
  'payerEmail',
  'payerPhone',
  'payerAddress',
  'paidBy',
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

/** Possible keys, e-mail addresses, CPFs, phone numbers (not IP addresses) and CNPJs inside a text. */
const sensitiveText = new RegExp(
  [
    /(pk_(?:test|live)_|whsec_|\bpt_)[\w+/=-]+/,
    /[^\s"'<>@/]{1,64}@[^\s"'<>@/]+/,
    /(?!\d{1,3}(?:\.\d{1,3}){3}(?![\d.-]))\+?\(?\d[\d ()./-]{6,}\d/,
    /\b(?:[0-9A-Z][./-]?){12}\d[./-]?\d\b/,
  ]
    .map(({ source }) => source)
    .join('|'),
  'g',
);

/**
 * Text quoted by drivers and parsers is data, perhaps a payer's name; names of database objects may stay. What is not closed ends
 * with the text, the line or before a stack, so that nothing is read twice.
 */
const quotedText =
  /(\b(?:relation|column|constraint|table|index|function|type|enum|schema|database|role|user) "\w+")|\brow (?:contains )?\(.*|"(?:(?!\n {4}at )[^"\\]|\\[^])*"?/g;

const jsonRefusal = '" is not valid JSON';

/** What `JSON.parse` quotes may have quotes of its own. */
function withoutJson(text: string): string {
  const [from, to] = [text.indexOf('"'), text.lastIndexOf(jsonRefusal)];
  return 0 <= from && from < to
    ? `${text.slice(0, from)}"[redacted]"${text.slice(to + jsonRefusal.length)}`
    : text;
}

/** An error may quote a whole request. */
const maximumLength = 8_192;

export const redactText = (text: string): string =>
  withoutJson(text.slice(0, maximumLength))
    .replace(quotedText, (_, kept: string | undefined) => kept ?? '"[redacted]"')
    .replace(sensitiveText, (_, prefix: string | undefined) => `${prefix ?? ''}[redacted]`);

/** Two levels, the depth to which objects are logged. */
function redactMembers(logged: Record<string, unknown>, depth = 2): Record<string, unknown> {
  const redacted: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(logged)) {
    redacted[name] = secretMembers.has(name) ? '[redacted]' : redactValue(value, depth);
  }
  return redacted;
}

function redactValue(value: unknown, depth: number): unknown {
  if (value instanceof Error) return serializeError(value);
  if (typeof value !== 'object' || value === null || value instanceof Date) return value;
  if (depth === 1 || Array.isArray(value)) return '[object]';
  return redactMembers(value as Record<string, unknown>, depth - 1);
}

/** A driver's message may quote the failing row. Idempotent. */
function serializeError(error: unknown): unknown {
  if (!(error instanceof Error)) return typeof error === 'string' ? redactText(error) : error;
  const { type, message, stack } = stdSerializers.err(error);
  const code: unknown = Reflect.get(error, 'code');
  return {
    type,
    message: redactText(message),
    stack: redactText(stack),
    ...(typeof code === 'string' && { code }),
  };
}

/** JSON lines. */
export const createLogger = (level: string, to: DestinationStream): Logger =>
  pino(
    {
      level,
      base: null,
      mixin: () => ({ ...currentThread() }),
      timestamp: () => `,"time":"${new Date().toISOString()}"`,
      formatters: { level: (label) => ({ level: label }), log: redactMembers },
      hooks: {
        // For a bare error pino would use its message, bypassing the serializers.
        logMethod([first, ...rest], method) {
          method.apply(this, first instanceof Error ? [{ error: first }, ...rest] : [first, ...rest]);
        },
      },
      serializers: { error: serializeError, err: serializeError },
    },
    to,
  );
