import { type Command, Option } from 'commander';
import { readServerEvents, type ServerEvent } from './server-events.ts';

/** An error that the options or the service cause. Its message is all that a person needs. */
export class RemoteError extends Error {
  /** The status of the service's response; undefined if there was none. */
  readonly status: number | undefined;

  constructor(message: string, { status, ...options }: ErrorOptions & { status?: number } = {}) {
    super(message, options);
    this.status = status;
  }
}

/** A service somewhere else, for which a key is all that is needed. */
export interface ServiceClient {
  /** The parsed body. Throws with the service's message. */
  get<Body>(path: string): Promise<Body>;
  /** The body as it came. */
  getFile(path: string, mediaType: string): Promise<Buffer>;
  post<Body>(path: string, body?: object, headers?: Record<string, string>): Promise<Body>;
  patch<Body>(path: string, body: object, headers?: Record<string, string>): Promise<Body>;
  delete<Body>(path: string): Promise<Body>;
  /** Yields whenever a payment of the key's organization may have changed, until the stream ends. */
  changes(signal: AbortSignal): AsyncIterable<void>;
  /** Yields server-sent events until the stream ends. */
  events(path: string, signal: AbortSignal): AsyncIterable<ServerEvent>;
}

export interface RemoteOptions {
  url: string;
  key: string;
}

export const urlOption = () =>
  new Option('--url <url>', 'where the service is').env('PIX_URL').default('http://localhost:3000');

export const keyOption = () =>
  new Option('--key <key>', 'a test key, pk_test_…').env('PIX_API_KEY').makeOptionMandatory();

const timeoutMs = 30_000;

const isTestKey = (key: string): boolean => key.startsWith('pk_test_');

export const isLiveKey = (key: string): boolean => key.startsWith('pk_live_');

/** Takes only test keys, because it serves development: nothing that a live key can do happens by mistake. */
export function connectTo(options: RemoteOptions): ServiceClient {
  if (isLiveKey(options.key)) throw new RemoteError('--key must be a test key: this is for development');
  if (!isTestKey(options.key)) throw new RemoteError('--key must begin with pk_test_');
  return connect(options);
}

export interface LiveRemoteOptions extends RemoteOptions {
  live?: true;
}

export const anyKeyOption = () =>
  new Option('--key <key>', 'an API key').env('PIX_API_KEY').makeOptionMandatory();

/** Adds a command that works with any key, a live one only with --live. */
export const keyedCommand = (parent: Command, name: string, description: string): Command =>
  parent
    .command(name)
    .description(description)
    .addOption(urlOption())
    .addOption(anyKeyOption())
    .option('--live', 'allows a live key');

/** Takes a live key only where --live allows it. */
export function connectAsAllowed({ live, ...options }: LiveRemoteOptions): ServiceClient {
  const isLive = isLiveKey(options.key);
  if (!isLive && !isTestKey(options.key)) throw new RemoteError('--key must be an API key, pk_test_…');
  if (isLive && !live)
    throw new RemoteError('--key is a live key, with which money moves: add --live to use it');
  return connect(options);
}

function connect({ url, key }: RemoteOptions): ServiceClient {
  const { href, origin } = webAddress(url, '--url');
  const base = href.replace(/\/*$/, '/');

  async function request(path: string, init: RequestInit): Promise<Response> {
    const target = new URL(path, base);
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json', ...init.headers };
    const response = await fetch(target, { ...init, headers, redirect: 'manual' }).catch((error: Error) => {
      init.signal?.throwIfAborted();
      throw new RemoteError(`no response from ${origin}`, { cause: error });
    });
    if (response.ok) return response;
    const { message } = (await response.json().catch(() => ({}))) as { message?: string };
    const { status } = response;
    throw new RemoteError(message ?? `${origin} responded with ${status}`, { status });
  }

  const read = async <Body>(path: string, init: RequestInit): Promise<Body> =>
    (await (await request(path, { ...init, signal: AbortSignal.timeout(timeoutMs) })).json()) as Body;

  return {
    get: (path) => read(path, {}),
    async getFile(path, mediaType) {
      const init = { headers: { Accept: mediaType }, signal: AbortSignal.timeout(timeoutMs) };
      return Buffer.from(await (await request(path, init)).arrayBuffer());
    },
    post: (path, body = {}, headers = {}) =>
      read(path, { method: 'POST', body: JSON.stringify(body), headers }),
    patch: (path, body, headers = {}) => read(path, { method: 'PATCH', body: JSON.stringify(body), headers }),
    delete: (path) => read(path, { method: 'DELETE' }),
    async *changes(signal) {
      const response = await request('graphql', {
        method: 'POST',
        headers: { Accept: 'text/event-stream' },
        body: JSON.stringify({ query: 'subscription { paymentsUpdated { id } }' }),
        signal,
      });
      for await (const _ of response.body ?? []) yield;
    },
    async *events(path, signal) {
      yield* readServerEvents(await request(path, { headers: { Accept: 'text/event-stream' }, signal }));
    },
  };
}

/** Throws an error that names the option. */
export function webAddress(text: string, option: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new RemoteError(`${option} must be a URL with http or https`);
  if (url.username || url.password)
    throw new RemoteError(`${option} must not contain a user name or password`);
  return url;
}
