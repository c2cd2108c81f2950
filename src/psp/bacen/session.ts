import { z } from 'zod';
import { PspError } from '../../domain/providers/psp.ts';
import { readAnswer } from '../kit/answer.ts';
import type { HttpRequest, HttpResponse } from '../http/http-client.ts';
import type { PspTools } from '../kit/provider.ts';
import { secretText } from '../kit/settings.ts';
import type { BacenSettings } from './settings.ts';

/** Requests with an access token (OAuth 2.0 client credentials over mutual TLS, RFC 8705). */
export interface BacenSession {
  /** Like HttpClient; `path` is relative to the base URL. */
  request(
    method: HttpRequest['method'],
    path: string,
    { body, signal }: { body?: object; signal: AbortSignal },
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

const tokenAnswer = z.object({
  access_token: secretText,
  expires_in: z.coerce.number().positive().default(usualLifeInSeconds),
});

export function openSession(settings: BacenSettings, { http, now }: PspTools): BacenSession {
  const { baseUrl, tokenUrl, clientId, clientSecret, preset } = settings;
  const client = http(settings.tls);
  let token: Token | undefined;
  let fetching: Promise<Token> | undefined;

  async function fetchToken(): Promise<Token> {
    const grant = { grant_type: 'client_credentials' };
    const askedAtMs = now().getTime();
    const response = await client.request({
      method: 'POST',
      url: tokenUrl,
      headers: { authorization: `Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}` },
      body: preset.tokenBody === 'json' ? grant : new URLSearchParams(grant),
      // Not the signal of one caller: others wait for the same token.
      signal: AbortSignal.timeout(tokenTimeoutMs),
    });
    if (response.status >= 400) {
      throw new PspError('rejected', `the provider rejected the sign-in (HTTP ${response.status})`);
    }
    const { access_token: value, expires_in: seconds } = readAnswer(tokenAnswer, response.json);
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
        throw new PspError(
          error.failure === 'unknown' ? 'not_sent' : error.failure,
          `sign-in: ${error.message}`,
        );
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
    async request(method, path, { body, signal }) {
      const send = (value: string) =>
        client.request({
          method,
          url: baseUrl + path,
          headers: { authorization: `Bearer ${value}` },
          body,
          signal,
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
