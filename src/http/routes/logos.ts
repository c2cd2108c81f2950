import type { RequestHandler } from 'express';
import { notFound } from '../../domain/errors.ts';
import type { OrganizationProfileService } from '../../services/organizations/organization-profile.ts';

/** Logos are public, and an address never serves another image. */
export const logoRoute =
  ({ logo }: Pick<OrganizationProfileService, 'logo'>): RequestHandler<{ id: string }> =>
  async (request, response) => {
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
