import { Counter, Gauge, Histogram, type Registry } from 'prom-client';

/** Seconds, up to the longest that a request waits. */
export const requestBuckets = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12];

export type Instruments = ReturnType<typeof createInstruments>;

/** Sets what is measured whenever it is read. */
type Collect<Measured> = (measured: Measured) => void | Promise<void>;

const collecting = <Measured>(collect: Collect<Measured> | undefined) =>
  collect && {
    collect(this: Measured) {
      return collect(this);
    },
  };

/** Makes what is measured, by name, help and labels, and registers it. */
export function createInstruments(registry: Registry) {
  const registers = [registry];
  return {
    counter: <L extends string>(name: string, help: string, labelNames: L[], collect?: Collect<Counter<L>>) =>
      new Counter<L>({ name, help, labelNames, registers, ...collecting(collect) }),
    gauge: <L extends string>(
      name: string,
      help: string,
      labelNames: L[] = [],
      collect?: Collect<Gauge<L>>,
    ) => new Gauge<L>({ name, help, labelNames, registers, ...collecting(collect) }),
    histogram: <L extends string>(name: string, help: string, labelNames: L[], buckets: number[]) =>
      new Histogram<L>({ name, help, labelNames, buckets, registers }),
  };
}
