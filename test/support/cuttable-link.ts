import { once } from 'node:events';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';

export interface CuttableLink {
  url: string;
  /** Closes every connection, and refuses new ones until it is mended. */
  cut(): void;
  /** Lets nothing through, in either direction, and says so to nobody. */
  stall(): void;
  mend(): void;
  stop(): void;
}

/** Stands between a client and the service. */
export async function startCuttableLink(serviceUrl: string): Promise<CuttableLink> {
  const sockets = new Set<Socket>();
  const ends = new Set<Socket>();
  let isCut = false;
  let isStalled = false;
  const server = createServer((socket) => {
    if (isCut) {
      socket.destroy();
      return;
    }
    sockets.add(socket);
    const service = connect(Number(new URL(serviceUrl).port), '127.0.0.1');
    for (const [from, to] of [
      [socket, service],
      [service, socket],
    ] as const) {
      from.on('data', (bytes) => to.write(bytes));
      from.on('end', () => to.end());
      if (isStalled) from.pause();
      ends.add(from);
    }
    const end = (): void => {
      sockets.delete(socket);
      for (const each of [socket, service]) ends.delete(each);
      socket.destroy();
      service.destroy();
    };
    for (const each of [socket, service]) each.on('error', end).on('close', end);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const cut = (): void => {
    isCut = true;
    for (const socket of sockets) socket.destroy();
  };
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    cut,
    stall: () => {
      isStalled = true;
      for (const each of ends) each.pause();
    },
    mend: () => {
      isCut = false;
      isStalled = false;
      for (const each of ends) each.resume();
    },
    stop: () => {
      cut();
      server.close();
    },
  };
}
