/**
 * Does work of the same name once at a time. Who asks while it is being done shares the next round with all others
 * who do, which begins afterwards and so misses nothing that was true when they asked.
 */
export function createOneFlight<T>(): (name: string, work: () => Promise<T>) => Promise<T> {
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
