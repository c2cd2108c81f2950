import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { RequestMeter } from './request-meter.ts';
import type { HttpClient } from './http-client.ts';
import { takePrepaid } from './operation-budget.ts';

/** Counts every request of an account, and notices when the PSP has had too many. */
export function metered(client: HttpClient, meter: Pick<RequestMeter, 'count' | 'refused'>): HttpClient {
  return {
    async request(request) {
      if (!takePrepaid(request.signal)) meter.count(request.method);
      try {
        return await client.request(request);
      } catch (error) {
        if (error instanceof PspError && error.retryAfterMs !== null) meter.refused(error.retryAfterMs);
        throw error;
      }
    },
    close: () => {
      client.close();
    },
  };
}
