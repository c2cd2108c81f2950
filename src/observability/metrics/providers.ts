import type { Instruments } from './instruments.ts';

/** Credentials that a node names in a label, in the order of their first calls. */
const namedCredentials = 100;

export function createProviderMetrics({ counter, gauge, histogram }: Instruments) {
  const calls = histogram(
    'pix_psp_call_seconds',
    'Duration of calls to PSPs by provider, operation and outcome.',
    ['provider', 'operation', 'outcome'],
    [0.005, 0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 12],
  );
  const callsByCredential = counter(
    'pix_psp_calls_total',
    'Calls to PSPs by provider, credential (the first 100 that this node called, and other) and outcome.',
    ['provider', 'credential', 'outcome'],
  );
  const refusedRequests = counter(
    'pix_psp_refused_requests_total',
    'Requests that PSPs refused with HTTP 429, by provider and credential.',
    ['provider', 'credential'],
  );
  const requestsLeft = gauge(
    'pix_psp_requests_left',
    "What is left of a PSP's documented quota of requests, by provider and credential.",
    ['provider', 'credential'],
  );
  const certificateExpiry = gauge(
    'pix_psp_certificate_expiry_timestamp_seconds',
    'When the client certificate of an enabled credential expires, by provider and credential.',
    ['provider', 'credential'],
  );
  const breakers = gauge(
    'pix_psp_breakers_open',
    'Open circuit breakers by provider and credential: operations that fail at once as the PSP keeps failing.',
    ['provider', 'credential'],
  );
  const named = new Set<string>();
  const labelOf = (credentialId: string): string => {
    if (named.size < namedCredentials) named.add(credentialId);
    return named.has(credentialId) ? credentialId : 'other';
  };

  return {
    /** `outcome`: `ok` or the kind of failure. */
    pspCallEnded(
      { provider, credentialId }: { provider: string; credentialId: string },
      operation: string,
      outcome: string,
      seconds: number,
    ): void {
      calls.observe({ provider, operation, outcome }, seconds);
      callsByCredential.inc({ provider, credential: labelOf(credentialId), outcome });
    },
    /** The PSP answered with HTTP 429. */
    pspRefusedRequest(provider: string, credential: string): void {
      refusedRequests.inc({ provider, credential });
    },
    /** `requests` are left of the provider's documented quota, as last counted. */
    pspRequestsLeft(provider: string, credential: string, requests: number): void {
      requestsLeft.set({ provider, credential }, requests);
    },
    /** Circuit breakers that are open, over all operations of a credential. */
    pspBreakersOpen(provider: string, credential: string, count: number): void {
      breakers.set({ provider, credential }, count);
    },
    /** Replaces what was reported before. */
    certificatesExpire(
      certificates: readonly { provider: string; credentialId: string; expiresAt: Date }[],
    ): void {
      certificateExpiry.reset();
      for (const { provider, credentialId: credential, expiresAt } of certificates)
        certificateExpiry.set({ provider, credential }, Math.floor(expiresAt.getTime() / 1_000));
    },
  };
}
