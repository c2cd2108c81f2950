/**
 * Has work about a subject wait for what was asked before: here, rather than in the database, where each that waits for a
 * row would hold a connection, and end when its transaction has taken too long.
 */
export function createInTurn(): <T>(subject: string, work: () => Promise<T>) => Promise<T> {
  const last = new Map<string, Promise<unknown>>();
  return (subject, work) => {
    const done = (last.get(subject) ?? Promise.resolve()).then(work);
    const settled = done
      .catch(() => undefined)
      .then(() => {
        if (last.get(subject) === settled) last.delete(subject);
      });
    last.set(subject, settled);
    return done;
  };
}
