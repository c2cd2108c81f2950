import { Agent, request } from 'undici';
import type { PspEmulator } from './core.ts';

interface Answer {
  status: number;
  /** The media type, without its parameters. */
  type: string;
  json: Record<string, unknown>;
}

/** Asks an emulator for `PUT /cobv/…` below its base address, as the adapters of the service do not. */
export interface Client {
  ask(what: string, body?: object): Promise<Answer>;
  close(): Promise<void>;
}

type Settings = Readonly<Record<string, string>>;

/** How each API knows its customer. */
async function headersFor({ origin, psp }: PspEmulator, settings: Settings, agent: Agent): Promise<object> {
  if (psp.name === 'asaas') return { access_token: settings['apiKey'], 'user-agent': 'test' };
  if (psp.name === 'woovi') return { authorization: settings['appId'] };
  const { body } = await request(`${origin}/oauth/token`, {
    method: 'POST',
    dispatcher: agent,
    headers: {
      authorization: `Basic ${Buffer.from(`${settings['clientId']}:${settings['clientSecret']}`).toString('base64')}`,
      'content-type': 'application/x-www-form-urlencoded',
    },
    body: 'grant_type=client_credentials',
  });
  const { access_token: token } = (await body.json()) as Settings;
  return { authorization: `Bearer ${token}` };
}

export function createClient(emulator: PspEmulator): Client {
  const settings = emulator.settings as Settings;
  const { certificate: cert, privateKey: key, baseUrl } = settings;
  const agent = new Agent({ connect: { rejectUnauthorized: false, ...(cert && { cert, key }) } });
  return {
    async ask(what, body) {
      const [method = '', path = ''] = what.split(' ');
      const headers = await headersFor(emulator, settings, agent);
      const answered = await request(baseUrl + path, {
        method: method as 'GET',
        dispatcher: agent,
        headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
        ...(body && { body: JSON.stringify(body) }),
      });
      const text = await answered.body.text();
      const [type = ''] = String(answered.headers['content-type'] ?? '').split(';');
      return {
        status: answered.statusCode,
        type,
        json: text.startsWith('{') ? (JSON.parse(text) as Record<string, unknown>) : {},
      };
    },
    close: () => agent.close(),
  };
}
