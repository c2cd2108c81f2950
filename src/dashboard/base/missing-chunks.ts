import { isServiceReachable } from '../api/request.ts';

const reloadKey = 'pix-reloaded-at';
const minReloadIntervalMs = 10_000;

const chunkErrors = new WeakSet<object>();

/** A part of the application could not be loaded. */
export const isMissingChunk = (error: unknown): boolean =>
  typeof error === 'object' && error !== null && chunkErrors.has(error);

/** Without an answer of the service the browser would replace the application by an error page of its own. */
export async function reloadIfReachable(): Promise<boolean> {
  const isReachable = await isServiceReachable();
  if (isReachable) location.reload();
  return isReachable;
}

/** After an upgrade of the service, the chunks of the loaded version are gone. */
export function reloadAfterUpgrades(): void {
  window.addEventListener('vite:preloadError', ({ payload }) => {
    chunkErrors.add(payload);
    const last = Number(sessionStorage.getItem(reloadKey));
    if (Date.now() - last < minReloadIntervalMs) return;
    sessionStorage.setItem(reloadKey, String(Date.now()));
    void reloadIfReachable();
  });
}
