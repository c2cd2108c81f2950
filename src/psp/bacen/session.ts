import { randomUUID } from 'node:crypto';
import { z } from 'zod';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import { readResponse } from '../kit/response.ts';
import type { HttpRequest, HttpResponse } from '../http/http-client.ts';
import type { PspTools } from '../kit/provider.ts';
import type { BacenSettings } from './settings.ts';

/** Requests with an access token (OAuth 2.0 client credentials over mutual TLS, RFC 8705). */
export interface BacenSession {
  /** Does what HttpClient does; `path` is relative to the base URL. */
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
function tokenRequestOf(settings: BacenSettings): Pick<HttpRequest, 'url' | 'headers' | 'body'> {
  const { tokenUrl, tokenQuery, tokenBody, scope, clientAuth, clientId, clientSecret = '' } = settings;
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

export function openBacenSession(settings: BacenSettings, { http, now }: PspTools): BacenSession {
  const client = http(settings.tls);
  let token: Token | undefined;
  let fetching: Promise<Token> | undefined;

  async function fetchToken(): Promise<Token> {
    const askedAtMs = now().getTime();
    const response = await client.request({
      method: 'POST',
      ...tokenRequestOf(settings),
      // Has a signal of its own, because several callers wait for the same token.
      signal: AbortSignal.timeout(tokenTimeoutMs),
    });
    if (response.status >= 400) {
      throw new PspError('rejected', `the provider rejected the sign-in (HTTP ${response.status})`, {
        reason: 'wrong_key',
      });
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

  async function tokenFor(signal: AbortSignal): Promise<string> {
    if (token && now().getTime() < token.renewAtMs) return token.value;
    const { value } = await unlessAborted(newToken(), signal);
    return value;
  }

  return {
    async request(method, path, { body, headers, signal }) {
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
          // Not every bank cancels charges.
          mayBeUnserved: method === 'PATCH',
        });
      const used = await tokenFor(signal);
      const response = await send(used);
      if (response.status !== 401) return response;
      if (token?.value === used) token = undefined;
      return send(await tokenFor(signal));
    },

    async signIn(signal) {
      await unlessAborted(newToken(), signal);
    },
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
