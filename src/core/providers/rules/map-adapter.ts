import type { PspAdapter } from './psp.ts';

export type Operation = Exclude<keyof PspAdapter, 'capabilities'>;

/** A call of an adapter's method, which may be made with another signal. */
export interface AdapterCall<T> {
  operation: Operation;
  /** What the method was asked about: the request, the ids of a charge, the window of a list. */
  subject: unknown;
  signal: AbortSignal;
  make(this: void, signal: AbortSignal): Promise<T>;
}

/** The same adapter with every call going through a function. Methods that it lacks stay absent. */
export function mapAdapter(
  adapter: PspAdapter,
  through: <T>(call: AdapterCall<T>) => Promise<T>,
): PspAdapter {
  const members = Object.entries(adapter).map(([name, member]: [string, unknown]) => {
    if (typeof member !== 'function') return [name, member];
    const mapped = (...given: [...unknown[], AbortSignal]): Promise<unknown> => {
      const [subject] = given;
      const signal = given.pop() as AbortSignal;
      const make = (bound: AbortSignal) =>
        Reflect.apply(member, adapter, [...given, bound]) as Promise<unknown>;
      return through({ operation: name as Operation, subject, signal, make });
    };
    return [name, mapped];
  });
  return Object.fromEntries(members) as PspAdapter;
}
