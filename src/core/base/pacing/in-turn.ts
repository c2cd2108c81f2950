/**
 * Runs the work on a subject one after the other. In the database, each that waits for a row would hold a connection, and fail
 * once its transaction has taken too long.
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
