import { assertDocumented } from './documented.ts';
import { eventually } from './eventually.ts';

/** An answer with its body read. */
export interface Answer {
  status: number;
  headers: Headers;
  /** Parsed JSON: a test knows what it expects. */
  // oxlint-disable-next-line typescript/no-explicit-any
  body: any;
}

type Headered = Record<string, string>;

async function read(method: string, path: string, response: Response): Promise<Answer> {
  const text = await response.text();
  const { status, headers } = response;
  const answer = { status, headers, body: text ? JSON.parse(text) : undefined };
  assertDocumented(method, path, answer);
  return answer;
}

/** Every answer of REST must be as the reference says. */
export interface Client {
  get(path: string, headers?: Headered): Promise<Answer>;
  /** `body` goes as JSON, a string as it is. */
  post(path: string, body?: unknown, headers?: Headered): Promise<Answer>;
  patch(path: string, body?: unknown, headers?: Headered): Promise<Answer>;
  delete(path: string, headers?: Headered): Promise<Answer>;
  graphql(query: string, variables?: object, headers?: Headered): Promise<Answer>;
}

export function createClient(baseUrl: string, key?: string): Client {
  const keyHeader: Headered = key === undefined ? {} : { 'X-API-Key': key };
  async function send(method: string, path: string, body: unknown, headers: Headered = {}): Promise<Answer> {
    const sent = await fetch(baseUrl + path, {
      method,
      headers: {
        ...(body !== undefined && { 'Content-Type': 'application/json' }),
        ...keyHeader,
        ...headers,
      },
      ...(body !== undefined && { body: typeof body === 'string' ? body : JSON.stringify(body) }),
    });
    return read(method, path, sent);
  }
  const client: Client = {
    get: async (path, headers = {}) =>
      read('GET', path, await fetch(baseUrl + path, { headers: { ...keyHeader, ...headers } })),
    post: (path, body, headers) => send('POST', path, body, headers),
    patch: (path, body, headers) => send('PATCH', path, body, headers),
    delete: (path, headers) => send('DELETE', path, undefined, headers),
    graphql: (query, variables, headers) => client.post('/graphql', { query, variables }, headers),
  };
  return client;
}

/** Sends again what a busy service refused, as its clients are told to. */
export const untilAvailable = (send: () => Promise<Answer>): Promise<Answer> =>
  eventually(async () => {
    const answer = await send();
    if (answer.status === 503) throw new Error('The service is busy.');
    return answer;
  });
