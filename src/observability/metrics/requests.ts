import { createHeaviest } from './heaviest.ts';
import { type Instruments, requestBuckets } from './instruments.ts';

type OperationKind = 'single' | 'subscription';

export function createRequestMetrics({ counter, gauge, histogram }: Instruments) {
  const requests = histogram(
    'pix_http_request_seconds',
    'Duration of requests by route, method and status; of GraphQL, the status of a server error inside a 200.',
    ['route', 'method', 'status'],
    requestBuckets,
  );
  const operations = histogram(
    'pix_web_socket_operation_seconds',
    'Time to the response of GraphQL operations over WebSocket, or to the start of a subscription.',
    ['kind', 'status'],
    requestBuckets,
  );
  const failures = counter(
    'pix_server_errors_total',
    'Requests and operations that failed through no fault of their caller, by error code and mode (live, test or none).',
    ['code', 'mode'],
  );
  const heaviest = createHeaviest();
  gauge(
    'pix_heaviest_organizations',
    'What the ten organizations that took most of this node took in the last whole minute, by burden.',
    ['burden', 'organization'],
    (taken) => {
      taken.reset();
      for (const { burden, organizationId: organization, amount } of heaviest.top())
        taken.set({ burden, organization }, amount);
    },
  );

  return {
    requestEnded(route: string, method: string, status: number, seconds: number): void {
      requests.observe({ route, method, status }, seconds);
    },
    /** A request or an operation failed, and not through its caller's fault. */
    requestFailed(code: string, mode = 'none'): void {
      failures.inc({ code, mode });
    },
    /** Counts operations over a WebSocket. A subscription is measured until it starts. */
    operationResponded(kind: OperationKind, status: number, seconds: number): void {
      operations.observe({ kind, status }, seconds);
    },
    /** An organization took that much of this node. */
    organizationTook: heaviest.took,
  };
}
