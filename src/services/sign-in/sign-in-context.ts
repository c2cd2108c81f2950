import { AsyncLocalStorage } from 'node:async_hooks';

const libraryGlobal = Symbol.for('better-auth:global');

/** What the library carries from call to call of a request. */
export function libraryStorages(): AsyncLocalStorage<unknown>[] {
  const { context = {} } = (Reflect.get(globalThis, libraryGlobal) ?? {}) as { context?: object };
  return Object.values(context).filter((each) => each instanceof AsyncLocalStorage);
}

let underWay = 0;

/**
 * Runs a call of the sign-in library. Before Node 24 a storage that is in use hooks into every promise of the
 * process, which costs each payment request up to a third: it is in use no longer than somebody signs in.
 */
export async function inLibraryContext<T>(call: () => Promise<T>): Promise<T> {
  underWay += 1;
  try {
    return await call();
  } finally {
    underWay -= 1;
    if (underWay === 0) for (const storage of libraryStorages()) storage.disable();
  }
}
