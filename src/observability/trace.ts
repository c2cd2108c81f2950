import { AsyncLocalStorage } from 'node:async_hooks';
import { randomUUID } from 'node:crypto';

/** A place in a trace: whoever continues it names this as its parent. */
export interface TraceParent {
  traceId: string;
  spanId: string;
  isSampled: boolean;
}

/** Four parts; neither id may be all zeros. */
const traceparent = /^([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Reads a W3C `traceparent`; undefined if it is invalid. */
export function parseTraceparent(header: string | null | undefined): TraceParent | undefined {
  const [, version, traceId, spanId, flags, more] = traceparent.exec(header ?? '') ?? [];
  // Version ff is invalid, and only versions after 00 may have more than four parts.
  if (!traceId || !spanId || version === 'ff' || (version === '00' && more !== undefined)) return undefined;
  return { traceId, spanId, isSampled: Number.parseInt(flags ?? '', 16) % 2 === 1 };
}

export const printTraceparent = ({ traceId, spanId, isSampled }: TraceParent): string =>
  `00-${traceId}-${spanId}-${isSampled ? '01' : '00'}`;

/** The W3C trace id of a request, 32 hex digits: from a valid `traceparent`, otherwise new. */
export const traceIdOf = (header: string | undefined): string =>
  parseTraceparent(header)?.traceId ?? randomUUID().replaceAll('-', '');

/** What the log lines of one request or piece of work have in common. */
export interface Thread {
  traceId: string;
  paymentId?: string;
}

/**
 * Before Node 24, an AsyncLocalStorage in use hooks every promise of the process and costs payment requests up to a third. There,
 * lines name what they are given.
 */
export const hasThreads = Number(process.versions.node.split('.', 1)[0]) >= 24;

const threads = hasThreads ? new AsyncLocalStorage<Thread>() : undefined;

/** Every line that `work` logs, whenever it does, says what it belongs to. */
export const inThread = <T>(thread: Thread, work: () => T): T =>
  threads ? threads.run(thread, work) : work();

export const inNewThread = <T>(work: () => T): T => inThread({ traceId: traceIdOf(undefined) }, work);

export const currentThread = (): Thread | undefined => threads?.getStore();

/** From here on, lines name the payment too. */
export function noteOnThread(noted: { paymentId: string }): void {
  Object.assign(threads?.getStore() ?? {}, noted);
}

const parents = new WeakMap<AbortSignal, string>();

/** The requests of an operation share its signal, and with it their place in a trace. */
export function signalInTrace(signal: AbortSignal, parent: string | null | undefined): AbortSignal {
  if (parent) parents.set(signal, parent);
  return signal;
}

export const parentOf = (signal: AbortSignal): string | undefined => parents.get(signal);
