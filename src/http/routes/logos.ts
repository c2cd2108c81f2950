import type { RequestHandler } from 'express';
import { ipKeyGenerator } from 'express-rate-limit';
import { notFound } from '../../core/base/errors.ts';
import { countAtMost } from '../limits/count-at-most.ts';
import type { RateLimitStore } from '../limits/rate-limit-store.ts';
import type { OrganizationProfileService } from '../../core/people/organizations/organization-profile.ts';

/** Equals the limit of the checkout pages that show logos, because many payers share an address of a mobile network. */
const requestsPerAddress = 600;

interface Dependencies {
  organizationProfile: Pick<OrganizationProfileService, 'logo'>;
  addressStore: RateLimitStore;
}

/** Serves logos, which are public. An address always serves the same image. */
export const logoRoute =
  ({ organizationProfile: { logo }, addressStore }: Dependencies): RequestHandler<{ id: string }> =>
  async (request, response) => {
    await countAtMost(addressStore, requestsPerAddress, `logo:${ipKeyGenerator(request.ip ?? '')}`);
    const found = await logo(request.params.id);
    if (!found) throw notFound('Route', request.path);
    response.writeHead(200, {
      'Content-Type': found.contentType,
      'Content-Length': found.bytes.length,
      'Cache-Control': 'public, max-age=31536000, immutable',
      'X-Content-Type-Options': 'nosniff',
      'Content-Security-Policy': "default-src 'none'; sandbox",
      // Checkouts show it on pages of other hosts.
      'Cross-Origin-Resource-Policy': 'cross-origin',
    });
    response.end(request.method === 'HEAD' ? undefined : found.bytes);
  };
