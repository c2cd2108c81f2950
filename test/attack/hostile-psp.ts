import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { startEmulator } from '../support/psp-emulator/core.ts';
import { asaas } from '../support/psp-emulator/asaas.ts';
import { type EmulatedCharge } from '../support/psp-emulator/ledger.ts';

/** A page of refunds that are none of ours, and always one more. */
const endlessPage = JSON.stringify({
  object: 'list',
  hasMore: true,
  totalCount: 1_000_000,
  limit: 100,
  offset: 0,
  data: Array.from({ length: 100 }, (_, index) => ({
    dateCreated: '2026-11-20 10:00:00',
    status: 'DONE',
    value: 0.01,
    description: `${index} ${'x'.repeat(8_500)}`,
  })),
});

/** Asaas as long as charges are made and paid; its lists of refunds never end. */
export async function startHostilePsp() {
  const emulator = await startEmulator(asaas);
  let isHostile = false;
  const server = createServer((request, response) => {
    void (async () => {
      if (isHostile && request.url?.includes('/refunds')) {
        response.writeHead(200, { 'content-type': 'application/json' }).end(endlessPage);
        return;
      }
      const body = Buffer.concat(await request.toArray());
      const answer = await fetch(`${emulator.origin}${request.url ?? '/'}`, {
        method: request.method ?? 'GET',
        headers: {
          access_token: String(request.headers['access_token']),
          'user-agent': 'proxy',
          'content-type': 'application/json',
        },
        ...(body.length > 0 && { body }),
      });
      response.writeHead(answer.status, { 'content-type': 'application/json' }).end(await answer.text());
    })().catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    settings: { ...emulator.settings, baseUrl: `http://127.0.0.1:${port}/v3` },
    charges: emulator.ledger.charges as readonly EmulatedCharge[],
    setNotificationAddress: (url: string) => {
      emulator.notifier.address = url;
    },
    pay: (transactionId: string) => emulator.pay(transactionId),
    turnHostile: () => {
      isHostile = true;
    },
  };
}
