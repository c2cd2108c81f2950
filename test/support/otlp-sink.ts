import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface ExportedSpan {
  traceId: string;
  spanId: string;
  /** Empty for the first of a trace. */
  parentSpanId: string;
  name: string;
  kind: 'internal' | 'server' | 'client';
  attributes: Record<string, unknown>;
  links: { traceId: string; spanId: string }[];
  /** Undefined unless it failed. */
  failure: string | undefined;
  serviceName: unknown;
}

/** A collector on loopback. */
export interface OtlpSink {
  url: string;
  /** The keys are trace ids. */
  traces: Map<string, ExportedSpan[]>;
  requests: { path: string; headers: IncomingHttpHeaders; body: Buffer }[];
  /** From now on requests are read and not answered. */
  hang(): void;
  stop(): Promise<void>;
}

type Field = [number: number, value: Buffer | bigint];

/** The fields of a message by Protocol Buffers' wire format, https://protobuf.dev/programming-guides/encoding. */
function fieldsOf(message: Buffer): Field[] {
  let at = 0;
  const varint = (): bigint => {
    let value = 0n;
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++] ?? 0;
      value |= BigInt(byte & 0x7f) << shift;
      if (byte < 0x80) return value;
    }
  };
  const bytes = (length: number): Buffer => message.subarray(at, (at += length));
  const fields: Field[] = [];
  while (at < message.length) {
    const tag = Number(varint());
    const read = [
      varint,
      () => bytes(8),
      () => bytes(Number(varint())),
      undefined,
      undefined,
      () => bytes(4),
    ];
    const value = read[tag & 7]?.();
    if (value === undefined) throw new Error(`wire type ${tag & 7} is not used by OTLP`);
    fields.push([tag >> 3, value]);
  }
  return fields;
}

const all = (message: Buffer, number: number): Buffer[] =>
  fieldsOf(message).flatMap(([each, value]) => (each === number && Buffer.isBuffer(value) ? [value] : []));

const only = (message: Buffer, number: number): Buffer => all(message, number)[0] ?? Buffer.alloc(0);

const numberOf = (message: Buffer, number: number): number =>
  Number(fieldsOf(message).find(([each]) => each === number)?.[1] ?? 0);

function valueOf(anyValue: Buffer): unknown {
  const [[kind, value] = [0, 0n]] = fieldsOf(anyValue);
  if (kind === 1) return value.toString();
  return kind === 2 ? value === 1n : Number(value);
}

const attributesOf = (keyValues: readonly Buffer[]): Record<string, unknown> =>
  Object.fromEntries(keyValues.map((each) => [only(each, 1).toString(), valueOf(only(each, 2))]));

const hex = (message: Buffer, number: number): string => only(message, number).toString('hex');

const kinds = { 1: 'internal', 2: 'server', 3: 'client' } as const;
const failed = 2;

function spanOf(span: Buffer, serviceName: unknown): ExportedSpan {
  const status = only(span, 15);
  return {
    traceId: hex(span, 1),
    spanId: hex(span, 2),
    parentSpanId: hex(span, 4),
    name: only(span, 5).toString(),
    kind: kinds[numberOf(span, 6) as keyof typeof kinds],
    attributes: attributesOf(all(span, 9)),
    links: all(span, 13).map((link) => ({ traceId: hex(link, 1), spanId: hex(link, 2) })),
    failure: numberOf(status, 3) === failed ? only(status, 2).toString() : undefined,
    serviceName,
  };
}

/** The fields of opentelemetry/proto/trace/v1/trace.proto. */
const spansOf = (exportRequest: Buffer): ExportedSpan[] =>
  all(exportRequest, 1).flatMap((resourceSpans) => {
    const resource = attributesOf(all(only(resourceSpans, 1), 1));
    const spans = all(resourceSpans, 2).flatMap((scopeSpans) => all(scopeSpans, 2));
    return spans.map((span) => spanOf(span, resource['service.name']));
  });

export async function startOtlpSink(): Promise<OtlpSink> {
  let isHanging = false;
  const server = createServer((request, response) => {
    void request.toArray().then((chunks) => {
      const body = Buffer.concat(chunks as Buffer[]);
      sink.requests.push({ path: request.url ?? '', headers: request.headers, body });
      for (const span of spansOf(body))
        sink.traces.set(span.traceId, [...(sink.traces.get(span.traceId) ?? []), span]);
      if (!isHanging) response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const sink: OtlpSink = {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    traces: new Map(),
    requests: [],
    hang() {
      isHanging = true;
    },
    async stop() {
      server.close();
      server.closeAllConnections();
      await once(server, 'close');
    },
  };
  return sink;
}
