import { setTimeout as delay } from 'node:timers/promises';
import {
  type Context,
  type Link,
  ROOT_CONTEXT,
  type SpanContext,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
} from '@opentelemetry/api';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  AlwaysOffSampler,
  AlwaysOnSampler,
  BatchSpanProcessor,
  ParentBasedSampler,
  type Sampler,
  type SpanExporter,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import type { Logger } from './logger.ts';
import { parseTraceparent, printTraceparent } from './trace.ts';
import type { Tracing, TracingOptions } from './tracing.ts';

/** Beyond that, spans are dropped: a collector that is slow or down costs no more than this memory. */
const maximumQueued = 4_096;
const delayMs = 1_000;
const exportTimeoutMs = 5_000;
const stopMs = 3_000;
const pauseBetweenWarningsMs = 60_000;

const kinds = { server: SpanKind.SERVER, client: SpanKind.CLIENT, internal: SpanKind.INTERNAL };

/** A span costs a tenth of what a read by id does, and nothing follows from a read. */
function fewerReads(ratio: number): Sampler {
  const reads = new TraceIdRatioBasedSampler(ratio);
  const rest = new AlwaysOnSampler();
  return {
    shouldSample(context, traceId, _name, kind, attributes) {
      const isRead = kind === SpanKind.SERVER && attributes['http.request.method'] === 'GET';
      return isRead ? reads.shouldSample(context, traceId) : rest.shouldSample();
    },
    toString: () => `FewerReads{${ratio}}`,
  };
}

const rootSamplers = (ratio: number) => ({
  fewer_reads: fewerReads(ratio),
  always_on: new AlwaysOnSampler(),
  always_off: new AlwaysOffSampler(),
  traceidratio: new TraceIdRatioBasedSampler(ratio),
});

function samplerOf({ sampler, ratio }: TracingOptions): Sampler {
  const [, isParentBased, name] = /^(parentbased_)?(.+)$/.exec(sampler) ?? [];
  const root = rootSamplers(ratio)[name as keyof ReturnType<typeof rootSamplers>];
  return isParentBased ? new ParentBasedSampler({ root }) : root;
}

/** A failure is logged, and the SDK not told: it would report each. */
function quiet(exporter: SpanExporter, logger: Logger): SpanExporter {
  let nextWarningAt = 0;
  return {
    export(spans, done) {
      exporter.export(spans, ({ code, error }) => {
        if (code !== 0 && performance.now() >= nextWarningAt) {
          nextWarningAt = performance.now() + pauseBetweenWarningsMs;
          logger.warn({ error, spans: spans.length }, 'traces could not be exported and were dropped');
        }
        done({ code: 0 });
      });
    },
    shutdown: () => exporter.shutdown(),
  };
}

function spanContextOf(traceparent: string | null | undefined): SpanContext | undefined {
  const place = parseTraceparent(traceparent);
  if (!place) return undefined;
  const { isSampled, ...ids } = place;
  return { ...ids, traceFlags: isSampled ? TraceFlags.SAMPLED : TraceFlags.NONE, isRemote: true };
}

function contextOf(parent: string | null | undefined): Context {
  const spanContext = spanContextOf(parent);
  return spanContext ? trace.setSpanContext(ROOT_CONTEXT, spanContext) : ROOT_CONTEXT;
}

function linksOf(cause: string | null | undefined): Link[] {
  const context = spanContextOf(cause);
  return context ? [{ context }] : [];
}

/** Sends spans over OTLP, in batches. */
export function exportTraces(options: TracingOptions, logger: Logger): Tracing {
  const { url, headers, serviceName } = options;
  const exporter = new OTLPTraceExporter({
    url,
    headers: headers.reveal(),
    timeoutMillis: exportTimeoutMs,
  });
  const processor = new BatchSpanProcessor({
    exporter: quiet(exporter, logger),
    maxQueueSize: maximumQueued,
    scheduledDelayMillis: delayMs,
    exportTimeoutMillis: 2 * exportTimeoutMs,
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': serviceName }),
    sampler: samplerOf(options),
    spanProcessors: [processor],
  });
  const tracer = provider.getTracer('pix-payment-service');

  return {
    start(name, { kind, parent, cause, attributes = {} }) {
      const span = tracer.startSpan(
        name,
        { kind: kinds[kind], attributes, ...(cause && { links: linksOf(cause) }) },
        contextOf(parent),
      );
      const { traceId, spanId, traceFlags } = span.spanContext();
      const isSampled = (traceFlags & TraceFlags.SAMPLED) !== 0;
      return {
        traceparent: printTraceparent({ traceId, spanId, isSampled }),
        end({ name: finalName, attributes: more, failure } = {}) {
          if (finalName) span.updateName(finalName);
          if (more) span.setAttributes(more);
          if (failure !== undefined) span.setStatus({ code: SpanStatusCode.ERROR, message: failure });
          span.end();
        },
      };
    },

    async stop() {
      const giveUp = new AbortController();
      await Promise.race([provider.shutdown(), delay(stopMs, undefined, { signal: giveUp.signal })]).catch(
        (error: unknown) => {
          logger.warn({ error }, 'the last traces could not be exported');
        },
      );
      giveUp.abort();
    },
  };
}
