import type { HttpRequest, OpenHttpClient } from '../../src/psp/http/http-client.ts';
import type { PspTools } from '../../src/psp/kit/provider.ts';

export interface FakeReply {
  status?: number;
  json: unknown;
}

export interface FakeTools extends PspTools {
  /** What was asked, as `METHOD path`. */
  asked: string[];
}

/** For answers that an emulator would have to be bent for. */
export function fakeTools(
  reply: (asked: string, request: HttpRequest) => FakeReply,
  now: Date = new Date(),
): FakeTools {
  const asked: string[] = [];
  const http: OpenHttpClient = () => ({
    request: (request) => {
      const { pathname, search } = new URL(request.url);
      const name = `${request.method} ${pathname}${search}`;
      asked.push(name);
      const { status = 200, json } = reply(name, request);
      return Promise.resolve({ status, json, headers: {}, text: JSON.stringify(json) });
    },
    close: () => undefined,
  });
  return { http, now: () => now, asked };
}
