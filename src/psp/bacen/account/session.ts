import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { PspError } from '../../../core/providers/rules/psp-error.ts';
import { readResponse } from '../../kit/response.ts';
import type { HttpClient, HttpRequest, HttpResponse } from '../../http/http-client.ts';
import type { PspTools } from '../../kit/provider.ts';
import { type OptionalService, optionalServiceAt } from './scopes.ts';
import type { BacenSettings } from './settings.ts';

/** Requests with an access token (OAuth 2.0 client credentials over mutual TLS, RFC 8705). */
export interface BacenSession {
  /** Does what HttpClient does; `path` is relative to the base URL, and decides which scopes the token has. */
  request(
    method: HttpRequest['method'],
    path: string,
    options: { body?: object; headers?: Readonly<Record<string, string>>; signal: AbortSignal },
  ): Promise<HttpResponse>;
  /** Fetches a new token. */
  signIn(signal: AbortSignal): Promise<void>;
}

interface Token {
  value: string;
  renewAtMs: number;
}

const tokenTimeoutMs = 5_000;
const renewBeforeMs = 60_000;
const usualLifeInSeconds = 300;

const tokenResponse = z.object({
  // Signed tokens are longer than any secret that people enter.
  access_token: z.string().regex(/^[!-~]{1,16384}$/),
  expires_in: z.coerce.number().positive().catch(usualLifeInSeconds),
});

const withQuery = (url: string, query: BacenSettings['query']): string =>
  Object.keys(query).length > 0
    ? `${url}${url.includes('?') ? '&' : '?'}${new URLSearchParams(query).toString()}`
    : url;

const ownHeaders = ({ headers, requestIdHeader }: BacenSettings): Record<string, string> => ({
  ...headers,
  ...(requestIdHeader && { [requestIdHeader]: randomUUID() }),
});

/** RFC 6749, 4.4: the client's id and secret go into a header or into the body. */
function tokenRequestOf(
  settings: BacenSettings,
  scope: string,
): Pick<HttpRequest, 'url' | 'headers' | 'body'> {
  const { tokenUrl, tokenQuery, tokenBody, clientAuth, clientId, clientSecret = '' } = settings;
  const grant = {
    grant_type: 'client_credentials',
    ...(clientAuth !== 'basic' && { client_id: clientId }),
    ...(clientAuth === 'form' && { client_secret: clientSecret }),
    ...(scope && { scope }),
  };
  const basic = `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`;
  return {
    url: withQuery(tokenUrl, tokenQuery),
    headers: { ...ownHeaders(settings), ...(clientAuth === 'basic' && { authorization: basic }) },
    body: tokenBody === 'json' ? grant : new URLSearchParams(grant),
  };
}

/** The credential's scopes and those of the service, which not every application has. Empty when none are requested. */
function scopeFor({ scope }: BacenSettings, service: OptionalService | undefined): string {
  const scopes = scope.split(' ').filter(Boolean);
  if (scopes.length === 0 || !service || service.scopes.every((each) => scopes.includes(each))) return scope;
  return [...new Set([...scopes, ...service.scopes])].join(' ');
}

/** Tokens of one scope, one after another. */
interface Tokens {
  current(signal: AbortSignal): Promise<string>;
  /** Fetches a new one. */
  renew(signal: AbortSignal): Promise<void>;
  /** The bank no longer accepts it. */
  drop(value: string): void;
}

function openTokens(
  client: HttpClient,
  settings: BacenSettings,
  { scope, now }: { scope: string; now: PspTools['now'] },
): Tokens {
  let token: Token | undefined;
  let fetching: Promise<Token> | undefined;

  async function fetchToken(): Promise<Token> {
    const askedAtMs = now().getTime();
    const response = await client.request({
      method: 'POST',
      ...tokenRequestOf(settings, scope),
      // Has a signal of its own, because several callers wait for the same token.
      signal: AbortSignal.timeout(tokenTimeoutMs),
    });
    if (response.status >= 400) {
      // 401 is about the client (RFC 6749, 5.2); without the scopes of an optional service, anything else may be accepted.
      const isAboutClient = response.status === 401 || scope === settings.scope;
      const reason = isAboutClient ? 'wrong_key' : 'scope_missing';
      const text = `the provider rejected the sign-in (HTTP ${response.status})`;
      throw new PspError('rejected', text, { reason });
    }
    const { access_token: value, expires_in: seconds } = readResponse(tokenResponse, response.json);
    const lifeMs = seconds * 1_000;
    return { value, renewAtMs: askedAtMs + lifeMs - Math.min(renewBeforeMs, lifeMs / 2) };
  }

  /** Concurrent callers share one fetch. */
  function newToken(): Promise<Token> {
    fetching ??= fetchToken()
      .then((fetched) => (token = fetched))
      .catch((error: unknown) => {
        if (!(error instanceof PspError)) throw error;
        // Whatever happened to the sign-in, the request itself was not sent.
        throw error.as(error.failure === 'unknown' ? 'not_sent' : error.failure, `sign-in: ${error.message}`);
      })
      .finally(() => (fetching = undefined));
    return fetching;
  }

  return {
    async current(signal) {
      if (token && now().getTime() < token.renewAtMs) return token.value;
      const { value } = await unlessAborted(newToken(), signal);
      return value;
    },

    async renew(signal) {
      await unlessAborted(newToken(), signal);
    },

    drop(value) {
      if (token?.value === value) token = undefined;
    },
  };
}

export function openBacenSession(settings: BacenSettings, { http, now }: PspTools): BacenSession {
  const client = http(settings.tls);
  // Apart, so that an application without the scopes of an optional service still makes the usual charges.
  const tokensOf = new Map<string, Tokens>();

  function tokensFor(service?: OptionalService): Tokens {
    const scope = scopeFor(settings, service);
    const tokens = tokensOf.get(scope) ?? openTokens(client, settings, { scope, now });
    tokensOf.set(scope, tokens);
    return tokens;
  }

  return {
    async request(method, path, { body, headers, signal }) {
      const service = optionalServiceAt(path);
      // What was made before is served.
      const isMade = path.startsWith('/cobr/') || (method === 'GET' && /^\/\w+\/[^?]/.test(path));
      const send = (value: string) =>
        client.request({
          method,
          url: withQuery(
            (method === 'PATCH' ? settings.patchBaseUrl : settings.baseUrl) + path,
            settings.query,
          ),
          headers: { ...ownHeaders(settings), ...headers, authorization: `Bearer ${value}` },
          body,
          signal,
          // Not every bank cancels charges, or has the optional services.
          mayBeUnserved: method === 'PATCH' || (service !== undefined && !isMade),
        });
      const { current, drop } = tokensFor(service);
      const used = await current(signal);
      const response = await send(used);
      if (response.status !== 401) return response;
      drop(used);
      return send(await current(signal));
    },

    signIn: (signal) => tokensFor().renew(signal),
  };
}

function unlessAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    const onAbort = () => {
      reject(new PspError('not_sent', 'the call was aborted while signing in at the provider'));
    };
    if (signal.aborted) onAbort();
    signal.addEventListener('abort', onAbort, { once: true });
    promise.then(resolve, reject).finally(() => {
      signal.removeEventListener('abort', onAbort);
    });
  });
}
