import { PspError } from '../../core/providers/rules/psp-error.ts';
import { parentOf } from '../../observability/trace.ts';
import type { Tracing } from '../../observability/tracing.ts';
import type { HttpClient } from './http-client.ts';

/** Makes a span for each request. Paths and queries stay out of it, because they contain ids, even of payers. */
export function traced(client: HttpClient, provider: string, tracing: Tracing): HttpClient {
  return {
    async request(request) {
      const { method, url, signal } = request;
      const span = tracing.start(method, {
        kind: 'client',
        parent: parentOf(signal),
        attributes: {
          'http.request.method': method,
          'server.address': new URL(url).hostname,
          'pix.provider': provider,
        },
      });
      try {
        const response = await client.request(request);
        const { status } = response;
        const attributes = { 'http.response.status_code': status };
        span.end({ attributes, ...(status >= 400 && { failure: `HTTP ${status}` }) });
        return response;
      } catch (error) {
        span.end({ failure: error instanceof PspError ? error.message : 'error' });
        throw error;
      }
    },
    close: () => {
      client.close();
    },
  };
}
