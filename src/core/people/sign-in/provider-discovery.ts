import { z } from 'zod';

/** A provider that does not respond must not keep people waiting. */
export const providerTimeoutMs = 10_000;

const schema = z.object({
  issuer: z.string(),
  userinfo_endpoint: z.url().optional(),
  token_endpoint_auth_methods_supported: z.array(z.string()).default(['client_secret_basic']),
});

export type Discovered = z.output<typeof schema>;

export const discoveryUrl = (issuer: string): string =>
  `${issuer.replace(/\/$/, '')}/.well-known/openid-configuration`;

/** The library would take whatever issuer the document names, and never ask again for one that it could not read. */
export async function discover(issuer: string): Promise<Discovered> {
  const url = discoveryUrl(issuer);
  const response = await fetch(url, { redirect: 'error', signal: AbortSignal.timeout(providerTimeoutMs) });
  const discovered = schema.parse(await response.json());
  if (discovered.issuer !== issuer)
    throw new Error(`OIDC_ISSUER is ${issuer}, but its ${url} says ${discovered.issuer}`);
  return discovered;
}
