import { AsyncLocalStorage } from 'node:async_hooks';

const libraryGlobal = Symbol.for('better-auth:global');

/** The library's per-request context. */
export function libraryStorages(): AsyncLocalStorage<unknown>[] {
  const { context = {} } = (Reflect.get(globalThis, libraryGlobal) ?? {}) as { context?: object };
  return Object.values(context).filter((each) => each instanceof AsyncLocalStorage);
}

let underWay = 0;

/**
 * Calls the sign-in library. Before Node 24, an AsyncLocalStorage in use hooks every promise of the process and costs payment
 * requests up to a third, so it is enabled only during sign-ins.
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
