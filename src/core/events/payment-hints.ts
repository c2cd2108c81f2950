import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { Mode } from '../base/mode.ts';
import type { Database } from '../../database/database.ts';
import { createHearing } from '../../database/connections/hearing.ts';
import { type NotificationListener, startListening } from '../../database/notification-listener.ts';

/** Announces that a payment was created or changed, or that a recurrence was either. Its state is only in the database. */
export interface PaymentHint {
  kind: 'created' | 'changed' | 'recurrence';
  organizationId: string;
  mode: Mode;
  id: string;
}

/** Gets undefined when hints may have been missed, so that any payment may have changed. */
export type HintListener = (hint: PaymentHint | undefined) => void;

const channel = 'pix_payments';
/**
 * Batches hints for this long into one statement: each NOTIFY takes a lock shared by all databases of the
 * server.
 */
const gatherMs = 20;
const maximumHintsPerStatement = 1_000;

const payloadOf = (node: string, { kind, mode, organizationId, id }: PaymentHint): string =>
  [node, kind, mode, organizationId, id].join(' ');

function hintOf(words: readonly string[]): PaymentHint | undefined {
  const [kind, mode, organizationId, id] = words;
  const isKind = kind === 'created' || kind === 'changed' || kind === 'recurrence';
  const isMode = mode === 'test' || mode === 'live';
  return isKind && isMode && organizationId && id ? { kind, mode, organizationId, id } : undefined;
}

interface Dependencies {
  db: Database;
  /** Connects to PostgreSQL itself, because a pooler does not pass on what is notified. */
  directUrl: string;
  /** Called when hints do not reach other nodes, which then find changes by polling. */
  onUnreachable(error: unknown): void;
  /** Called when this process turns out not to hear its own hints, and when it does again. */
  onDeaf(): void;
  onHearing(): void;
}

/**
 * Announces changed payments to this process directly and to others through NOTIFY. Call it after the commit:
 * a NOTIFY inside a transaction would hold up all other commits.
 */
export function createPaymentHints({ db, directUrl, onUnreachable, onDeaf, onHearing }: Dependencies) {
  const node = randomUUID().slice(0, 8);
  const listeners = new Set<HintListener>();
  const unsent = new Set<string>();
  let sending: Promise<void> | undefined;
  let remote: NotificationListener | undefined;

  function dispatch(hint: PaymentHint | undefined): void {
    for (const listener of listeners) listener(hint);
  }

  const notify = (payloads: readonly string[]): Promise<unknown> =>
    db.$queryRaw`SELECT count(pg_notify(${channel}, payload)) FROM unnest(${payloads}::text[]) payload`;

  async function sendSome(): Promise<void> {
    const payloads = [...unsent].slice(0, maximumHintsPerStatement);
    for (const payload of payloads) unsent.delete(payload);
    await notify(payloads).catch(onUnreachable);
  }

  async function send(): Promise<void> {
    while (unsent.size > 0) {
      await sendSome();
      await delay(gatherMs);
    }
    sending = undefined;
  }

  const hearing = createHearing({
    speak: () => notify([node]),
    look: () => {
      dispatch(undefined);
    },
    onDeaf,
    onHearing,
  });

  return {
    announce(hint: PaymentHint): void {
      dispatch(hint);
      unsent.add(payloadOf(node, hint));
      sending ??= send();
    },

    subscribe(listener: HintListener): () => void {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },

    /** Starts receiving hints from other processes. */
    listen(): void {
      remote ??= startListening({
        directUrl,
        channel,
        onNotification(payload) {
          const [from, ...words] = payload.split(' ');
          const hint = hintOf(words);
          if (from === node) hearing.heard();
          else if (hint) dispatch(hint);
        },
        onListening: () => {
          dispatch(undefined);
          hearing.start();
        },
        onLost: onUnreachable,
      });
    },

    /** Resolves when pending hints have been sent. */
    async stop(): Promise<void> {
      hearing.stop();
      await remote?.stop();
      await sending;
    },
  };
}

export type PaymentHints = ReturnType<typeof createPaymentHints>;
