import { attempt, pause, untilSeen } from './page-signals.ts';
import { isSettled, type Payment, type PaymentAddress, PaymentError } from './payment.ts';
import { readPayment, TemporaryFailure, watchPayment } from './requests.ts';

export interface FollowedPayment {
  payment?: Payment;
  /** When it expires, on the clock of `performance.now()`: the device's date may be wrong. */
  endsAtMs?: number;
  /** The service has not been reached for a while; what is shown may be old. */
  isOffline: boolean;
  error?: PaymentError;
}

const readPatience = { first: 15_000, later: 15_000 };
/** A stream that brings nothing at first is held back by a proxy. Later, the service sends something every 12 s. */
const streamPatience = { first: 5_000, later: 30_000 };
const pollEveryMs = 3_000;
/** What a due date asks for changes at midnight, which no stream tells. */
const longestDueStreamMs = 3_600_000;
/** Where streams do not work, so many polls come between attempts of one. */
const pollsPerStream = 10;
const longestPauseMs = 15_000;

/** Over HTTP/1.1 browsers open six connections to a host, and other requests need some. */
const maximumStreams = 4;
let openStreams = 0;

export const secondsLeft = ({ endsAtMs = 0 }: FollowedPayment): number =>
  Math.max(0, Math.ceil((endsAtMs - performance.now()) / 1000));

/**
 * Reports the payment as it is and as it changes, until it is settled or refused. A stream tells of changes;
 * before each, and where none works, the payment is read, which also catches up with what was missed.
 * @param known of this payment from before
 * @returns how to stop; nothing is reported afterwards
 */
export function followPayment(
  address: PaymentAddress,
  onChange: (state: FollowedPayment) => void,
  known: FollowedPayment = { isOffline: false },
): () => void {
  const stop = new AbortController();
  const stopping = stop.signal;
  let state = known;
  let pollsLeft = 0;

  function report(change: Partial<FollowedPayment>): void {
    if (stopping.aborted) return;
    state = { ...state, ...change };
    onChange(state);
  }

  async function read(): Promise<void> {
    const received = await attempt(stopping, readPatience, ({ signal }) => readPayment(address, signal));
    const endsAtMs = performance.now() + received.secondsLeft * 1000;
    report({ payment: received.payment, endsAtMs, isOffline: false });
  }

  /** Failures do not matter: reading will tell the reason. */
  async function watch(): Promise<void> {
    const startedAt = performance.now();
    let hasWorked = false;
    openStreams += 1;
    const patience = state.payment?.due ? { ...streamPatience, whole: longestDueStreamMs } : streamPatience;
    try {
      await attempt(stopping, patience, ({ signal, onSign }) =>
        watchPayment(address, signal, {
          onSign,
          onPayment(payment) {
            hasWorked = true;
            report({ payment });
            if (isSettled(payment)) stop.abort();
          },
        }),
      );
    } catch {
      // A poll or the next stream finds what this one missed.
    } finally {
      openStreams -= 1;
    }
    if (!hasWorked && !document.hidden) pollsLeft = pollsPerStream;
    else if (performance.now() - startedAt < 1000) await pause(1000, stopping);
  }

  async function follow(): Promise<void> {
    for (let failures = 0; !stopping.aborted;) {
      await untilSeen(stopping);
      try {
        await read();
        failures = 0;
        if (state.payment && isSettled(state.payment)) return;
        if (pollsLeft > 0 || openStreams >= maximumStreams) {
          pollsLeft = Math.max(0, pollsLeft - 1);
          await pause(pollEveryMs, stopping);
        } else await watch();
      } catch (error) {
        if (error instanceof PaymentError) {
          // A token ends ten minutes after its payment, which is no news to who has seen that it expired.
          if ((state.payment?.status ?? 'pending') === 'pending') report({ error, isOffline: false });
          return;
        }
        failures += 1;
        // A single failure may be a request that a sleeping phone has cut.
        if (failures > 1 || !navigator.onLine) report({ isOffline: true });
        const askedMs = error instanceof TemporaryFailure ? error.retryAfterSeconds * 1000 : 0;
        const usualMs = Math.min(500 * 2 ** failures, longestPauseMs) * (0.75 + Math.random() / 2);
        await pause(Math.max(askedMs, usualMs), stopping);
      }
    }
  }

  void follow();
  return () => stop.abort();
}
