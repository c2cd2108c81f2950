import { show } from './show.ts';

/** The service holds a request for 15 s; a connection that has died says nothing. */
const patienceMs = 40_000;
const longestPauseMs = 15_000;

/** Resolves after a while, or sooner when the device is online or looked at again. */
function pause(ms: number): Promise<void> {
  return new Promise((resolve) => {
    const end = (): void => {
      window.clearTimeout(timer);
      window.removeEventListener('online', end);
      document.removeEventListener('visibilitychange', end);
      resolve();
    };
    const timer = window.setTimeout(end, ms);
    window.addEventListener('online', end);
    document.addEventListener('visibilitychange', end);
  });
}

const isSeen = (): Promise<void> =>
  new Promise((resolve) => {
    const look = (): void => {
      if (document.hidden) return;
      document.removeEventListener('visibilitychange', look);
      resolve();
    };
    document.addEventListener('visibilitychange', look);
    look();
  });

function showOffline(isOffline: boolean): void {
  const note = document.getElementById('offline');
  if (note) note.textContent = (isOffline && note.dataset.text) || '';
}

/** Asks whether the page is another by now; resolves to the seconds to wait before asking again. */
async function ask(url: string): Promise<number> {
  const giveUp = new AbortController();
  const abort = () => giveUp.abort();
  const timer = window.setTimeout(abort, patienceMs);
  // Half-open connections of a device that was offline would keep us waiting.
  window.addEventListener('offline', abort);
  try {
    const response = await fetch(url, { signal: giveUp.signal, cache: 'no-store', credentials: 'omit' });
    const text = await response.text();
    const waitSeconds = Number(response.headers.get('Retry-After')) || 0;
    if (response.status === 200) show(new DOMParser().parseFromString(text, 'text/html'));
    else if (response.status !== 204 && response.status !== 429) throw new Error(`HTTP ${response.status}`);
    return waitSeconds;
  } finally {
    window.clearTimeout(timer);
    window.removeEventListener('offline', abort);
  }
}

/** Keeps the page as the payment is, by requests that the service answers once it changes. */
export async function followChanges(): Promise<void> {
  let failures = 0;
  for (;;) {
    const { changes, version } = document.querySelector('main')?.dataset ?? {};
    if (!changes || !version) return;
    await isSeen();
    const startedAt = performance.now();
    try {
      const waitSeconds = await ask(`${changes}?after=${encodeURIComponent(version)}`);
      failures = 0;
      showOffline(false);
      // A proxy that answers at once must not make us ask without end.
      if (performance.now() - startedAt < 1000) await pause(Math.max(1000, waitSeconds * 1000));
    } catch {
      failures += 1;
      // A single failure may be a request that a sleeping phone has cut.
      if (failures > 1 || !navigator.onLine) showOffline(true);
      await pause(Math.min(500 * 2 ** failures, longestPauseMs) * (0.75 + Math.random() / 2));
    }
  }
}
