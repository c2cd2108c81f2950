import { Agent, request } from 'undici';
import type { RawNotification } from '../../../src/core/providers/rules/psp.ts';
import type { EmulatedPsp, Notification } from './psp.ts';

/** Delivers notifications, when there is an address, and remembers them. */
export interface Notifier {
  readonly sent: Notification[];
  /** Why deliveries failed: the emulator tries each once. */
  readonly failures: string[];
  address: string | undefined;
  /** Answers whether it was accepted. */
  send(notification: Notification): Promise<boolean>;
  hold(notification: Notification): void;
  /** The held ones, the last first when they shall be out of order. */
  release(order: 'as_sent' | 'reversed'): Promise<void>;
  close(): Promise<void>;
}

/** As the service's own endpoint would read it. */
export const rawOf = ({ headers, query, body, hasCertificate }: Notification): RawNotification => ({
  headers,
  query: new URLSearchParams(query),
  body: Buffer.from(body),
  hasTrustedCertificate: hasCertificate,
});

export function createNotifier({ client }: EmulatedPsp): Notifier {
  const agentOf = (connect: object) => new Agent({ connect: { rejectUnauthorized: false, ...connect } });
  const plain = agentOf({});
  const certified = agentOf(client ? { cert: client.certificate, key: client.privateKey } : {});
  const sent: Notification[] = [];
  const failures: string[] = [];
  let held: Notification[] = [];

  async function deliver(to: string, notification: Notification): Promise<boolean> {
    const url = new URL(to);
    url.pathname = url.pathname.replace(/\/$/, '') + notification.path;
    for (const [name, value] of Object.entries(notification.query)) url.searchParams.set(name, value);
    const { body, statusCode } = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...notification.headers },
      body: notification.body,
      dispatcher: notification.hasCertificate ? certified : plain,
    });
    await body.dump();
    if (statusCode < 300) return true;
    failures.push(`HTTP ${statusCode}`);
    return false;
  }

  const notifier: Notifier = {
    sent,
    failures,
    address: undefined,
    async send(notification) {
      sent.push(notification);
      if (!notifier.address) return false;
      return deliver(notifier.address, notification).catch((error: unknown) => {
        failures.push(String(error));
        return false;
      });
    },
    hold(notification) {
      held.push(notification);
    },
    async release(order) {
      const released = order === 'reversed' ? held.toReversed() : held;
      held = [];
      for (const each of released) await notifier.send(each);
    },
    async close() {
      await Promise.all([plain.destroy(), certified.destroy()]);
    },
  };
  return notifier;
}
