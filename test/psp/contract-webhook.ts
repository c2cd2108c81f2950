import { once } from 'node:events';
import { createServer, type Server } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { createAuthority } from '../support/certificates.ts';
import { failureOf, soon, type Subject } from './contract-setup.ts';

/** Accepts notifications at `/psp/ours/…`; with the PSP's certificate only, if it has one. */
function startReceiver(needsCertificate: () => boolean): Server {
  const { certificate: cert, privateKey: key } = createAuthority('Receiver').issue('receiver');
  return createServer({ cert, key, requestCert: true, rejectUnauthorized: false }, (request, response) => {
    const peer = (request.socket as TLSSocket).getPeerX509Certificate();
    const isOurs = request.url?.startsWith('/psp/ours/') === true;
    response.writeHead(isOurs && (peer || !needsCertificate()) ? 200 : 401).end();
  }).listen(0, '127.0.0.1');
}

/** For providers whose capabilities say `api`. */
export function describeWebhook(subject: () => Subject): void {
  describe('the webhook', () => {
    let receiver: Server;
    let origin: string;
    const url = () => `${origin}/psp/ours/token`;

    beforeAll(async () => {
      receiver = startReceiver(() => subject().emulator.psp.client !== undefined);
      await once(receiver, 'listening');
      origin = `https://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
    });

    afterAll(() => {
      receiver.closeAllConnections();
      receiver.close();
    });

    const methods = () => {
      const { findWebhook, registerWebhook } = subject().adapter;
      if (!findWebhook || !registerWebhook)
        throw new Error('the adapter lacks the methods of its capability');
      return { findWebhook, registerWebhook };
    };
    const creations = () =>
      subject().emulator.requests.filter(
        ({ operation, method }) => operation === 'webhook' && method === 'POST',
      );

    test('that the PSP refuses is refused for that reason', async () => {
      const { findWebhook, registerWebhook } = methods();
      subject().emulator.faults.add({ kind: 'reject', operation: 'webhook', times: 2 });
      const failure = await failureOf(registerWebhook(url(), soon()));
      expect(failure).toMatchObject({ failure: 'rejected', reason: 'webhook_refused' });
      expect(await findWebhook(url(), soon())).toBeUndefined();
    });

    test('is registered once, however often that is asked for', async () => {
      const { findWebhook, registerWebhook } = methods();
      await registerWebhook(url(), soon());
      expect(await findWebhook(url(), soon())).toEqual({ url: url(), state: 'active' });
      const before = creations().length;
      await registerWebhook(url(), soon());
      expect(await findWebhook(url(), soon())).toEqual({ url: url(), state: 'active' });
      expect(creations()).toHaveLength(before);
    });

    test('follows the service to another host', async () => {
      const { findWebhook, registerWebhook } = methods();
      await registerWebhook(url(), soon());
      const moved = url().replace('127.0.0.1', 'localhost');
      expect(await findWebhook(moved, soon())).toEqual({ url: url(), state: 'active' });
      await registerWebhook(moved, soon());
      expect(await findWebhook(moved, soon())).toEqual({ url: moved, state: 'active' });
      expect(await findWebhook(url(), soon())).toEqual({ url: moved, state: 'active' });
    });

    test('cannot be registered with a credential that the PSP refuses', async () => {
      const { registerWebhook } = methods();
      subject().emulator.faults.add({ kind: 'reject_credential', operation: 'webhook', times: 2 });
      const failure = await failureOf(registerWebhook(url(), soon()));
      expect(failure).toMatchObject({
        failure: 'rejected',
        reason: expect.stringMatching(/^(wrong_key|scope_missing)$/),
      });
    });
  });
}
