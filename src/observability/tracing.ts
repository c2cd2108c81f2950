import { parseTraceparent, printTraceparent } from './trace.ts';

type SpanAttributes = Record<string, string | number | boolean | undefined>;

/** Places in traces are passed on as `traceparent`. */
interface SpanStart {
  kind: 'server' | 'client' | 'internal';
  /** Without it a trace begins. */
  parent?: string | null | undefined;
  /** Names another trace that led to this work. */
  cause?: string | null | undefined;
  /** Never payer data, a secret, or a URL, which may contain either. */
  attributes?: SpanAttributes;
}

interface SpanEnd {
  /** Replaces the one that it began with. */
  name?: string;
  attributes?: SpanAttributes;
  /** Our words for what failed. */
  failure?: string | undefined;
}

/** A piece of work in a trace. */
export interface Span {
  /** Whoever continues the trace takes it. Undefined when nothing is traced, here or by the caller. */
  readonly traceparent: string | undefined;
  end(end?: SpanEnd): void;
}

export interface Tracing {
  start(name: string, start: SpanStart): Span;
  /** Sends what has ended, for three seconds at most. */
  stop(): Promise<void>;
}

/** The first is ours, the others are OpenTelemetry's. */
export const samplers = [
  'parentbased_fewer_reads',
  'always_on',
  'always_off',
  'traceidratio',
  'parentbased_always_on',
  'parentbased_always_off',
  'parentbased_traceidratio',
] as const;

export interface TracingOptions {
  /** Where spans are posted to. */
  url: string;
  headers: { reveal(): Record<string, string> };
  serviceName: string;
  sampler: (typeof samplers)[number];
  /** The samplers by ratio go by it, and reads do. */
  ratio: number;
}

/** Records nothing, and passes on what callers trace. */
export const noTracing: Tracing = {
  start(_name, { parent }) {
    const place = parseTraceparent(parent);
    return { traceparent: place && printTraceparent(place), end: () => undefined };
  },
  stop: () => Promise.resolve(),
};

/** Ends the span with the work. */
export async function inSpan<T>(span: Span, work: () => Promise<T>): Promise<T> {
  try {
    const done = await work();
    span.end();
    return done;
  } catch (error) {
    span.end({ failure: error instanceof Error ? error.name : 'error' });
    throw error;
  }
}
