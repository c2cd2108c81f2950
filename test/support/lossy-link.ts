import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** `lose` cuts the connection once the service has done its work; a status is responded with in place of the service. */
type Fault = 'none' | 'lose' | { status: number; headers?: Record<string, string> };

export interface LossyLink {
  url: string;
  /** For the next requests, one each. */
  faults: Fault[];
  /** Every request that came, as `POST /v1/payments`. */
  requests: string[];
  stop(): void;
}

/** Stands between a client and the service. */
export async function startLossyLink(serviceUrl: string): Promise<LossyLink> {
  const faults: Fault[] = [];
  const requests: string[] = [];

  async function forward(
    method: string,
    path: string,
    headers: Headers,
    body: Buffer,
    response: ServerResponse,
  ): Promise<void> {
    const fault = faults.shift();
    if (typeof fault === 'object') {
      response.writeHead(fault.status, fault.headers).end();
      return;
    }
    const answer = await fetch(serviceUrl + path, {
      method,
      headers,
      ...(body.length > 0 && { body: new Uint8Array(body) }),
    });
    const content = Buffer.from(await answer.arrayBuffer());
    if (fault === 'lose') response.destroy();
    else response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(content);
  }

  const server = createServer(async (request, response) => {
    const { method = 'GET', url = '/' } = request;
    requests.push(`${method} ${url.split('?', 1)[0]}`);
    // What fetch has opened must not claim to be compressed any more.
    const headers = new Headers({ 'Accept-Encoding': 'identity' });
    for (const name of ['x-api-key', 'content-type', 'idempotency-key']) {
      const value = request.headers[name];
      if (typeof value === 'string') headers.set(name, value);
    }
    await forward(method, url, headers, Buffer.concat(await request.toArray()), response);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    faults,
    requests,
    stop: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
