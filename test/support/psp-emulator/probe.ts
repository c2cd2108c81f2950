import { Agent, request } from 'undici';

export interface Probe {
  url: string;
  headers?: Readonly<Record<string, string>>;
  body: string;
  /** The PSP's certificate; none is presented when it is left out. */
  client?: { certificate: string; privateKey: string } | undefined;
}

/** The status that a PSP gets from the URL of a webhook when it tries it; 0 for none at all. */
export async function probe({ url, headers, body, client }: Probe): Promise<number> {
  const certificate = client && { cert: client.certificate, key: client.privateKey };
  const agent = new Agent({ connect: { rejectUnauthorized: false, ...certificate } });
  try {
    const tried = await request(url, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      body,
      dispatcher: agent,
    });
    await tried.body.dump();
    return tried.statusCode;
  } catch {
    return 0;
  } finally {
    await agent.destroy();
  }
}
