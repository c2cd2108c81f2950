import { z } from 'zod';
import { samplers, type TracingOptions } from '../observability/tracing.ts';

const httpUrl = z.url({
  protocol: /^https?$/,
  error: 'must be a URL such as http://collector.example.com:4318',
});

/** `name=value` pairs, percent-encoded, as in the specification of OpenTelemetry's exporters. */
const pairs = z.string().transform((text, context) => {
  const entries = text.split(',').map((pair) => /^\s*([\w.-]+)\s*=(.*)$/.exec(pair) ?? []);
  try {
    return Object.fromEntries(
      entries.map(([, name, value]) => {
        if (name === undefined || value === undefined) throw new Error();
        return [name, decodeURIComponent(value.trim())];
      }),
    );
  } catch {
    context.addIssue('must be comma-separated name=value pairs, percent-encoded');
    return z.NEVER;
  }
});

/** The variables of OpenTelemetry that are read here; its exporter reads a few more of its own. */
export const traces = {
  OTEL_EXPORTER_OTLP_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: httpUrl.optional(),
  OTEL_EXPORTER_OTLP_HEADERS: pairs.default({}),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal('http/protobuf', { error: 'must be http/protobuf, the only protocol that is offered' })
    .optional(),
  OTEL_SERVICE_NAME: z.string().default('pix-payment-service'),
  OTEL_TRACES_SAMPLER: z
    .enum(samplers, { error: `must be one of ${samplers.join(', ')}` })
    .default('parentbased_fewer_reads'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce
    .number({ error: 'must be a number from 0 to 1' })
    .min(0, 'must be a number from 0 to 1')
    .max(1, 'must be a number from 0 to 1')
    .optional(),
  OTEL_SDK_DISABLED: z.enum(['true', 'false'], { error: 'must be true or false' }).default('false'),
};

/** Undefined: nothing is exported. */
export function tracingOf(settings: z.output<z.ZodObject<typeof traces>>): TracingOptions | undefined {
  const sampler = settings.OTEL_TRACES_SAMPLER;
  const base = settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  const url = settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? (base && `${base.replace(/\/$/, '')}/v1/traces`);
  if (url === undefined || settings.OTEL_SDK_DISABLED === 'true') return undefined;
  return {
    url,
    headers: { reveal: () => settings.OTEL_EXPORTER_OTLP_HEADERS },
    serviceName: settings.OTEL_SERVICE_NAME,
    sampler,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG ?? (sampler === 'parentbased_fewer_reads' ? 0.1 : 1),
  };
}
