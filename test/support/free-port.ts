import { once } from 'node:events';
import { createServer, type AddressInfo } from 'node:net';

/** A port of loopback that nobody listens on, for a server that must know it beforehand. */
export async function freePort(): Promise<number> {
  const listener = createServer().listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const { port } = listener.address() as AddressInfo;
  listener.close();
  await once(listener, 'close');
  return port;
}
