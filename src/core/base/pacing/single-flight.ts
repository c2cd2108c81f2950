/**
 * Runs one call per name at a time. Calls made meanwhile share the next run, which starts afterwards and so
 * sees everything that was true when they were made.
 */
export function createSingleFlight<T>(): (name: string, work: () => Promise<T>) => Promise<T> {
  const flights = new Map<string, { current: Promise<T>; next?: Promise<T> }>();

  function start(name: string, work: () => Promise<T>): Promise<T> {
    const current = work().finally(() => {
      if (flights.get(name)?.current === current && !flights.get(name)?.next) flights.delete(name);
    });
    flights.set(name, { current });
    return current;
  }

  return (name, work) => {
    const flight = flights.get(name);
    if (!flight) return start(name, work);
    flight.next ??= flight.current.then(
      () => start(name, work),
      () => start(name, work),
    );
    return flight.next;
  };
}
