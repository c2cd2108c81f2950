import { badRequest } from '../../base/errors.ts';
import { centsFromReais } from '../../base/money.ts';
import { isPermission, permissions as allPermissions, type Permission } from '../../base/key-permissions.ts';
import { problem, type Problem } from '../../base/problems/rules.ts';
import { parseIpRange } from '../rules/ip-allow-list.ts';
import { type RateLimits, rateLimitSchema } from '../rules/rate-limits.ts';
import { limitSchema, parse } from '../../base/parsing/parse.ts';

const maximumAllowedIps = 100;

export function parseRefundLimit(reais: number | null): bigint | null {
  if (reais === null) return null;
  return centsFromReais(parse(limitSchema, reais, { body: 'refundLimitPerDay' })) ?? null;
}

export const parseRateLimit = (limit: number | null, rateLimits: RateLimits): number | null =>
  limit === null ? null : parse(rateLimitSchema(rateLimits), limit, { body: 'rateLimitPerMinute' });

/** Returns canonical spellings. Reports every invalid entry. */
export function parseAllowedIps(named: readonly string[]): string[] {
  if (named.length > maximumAllowedIps) {
    throw badRequest(
      `allowedIps must have at most ${maximumAllowedIps} addresses and ranges`,
      problem('allowedIps', 'max_items', { maximum: maximumAllowedIps }),
    );
  }
  const ranges = new Set<string>();
  const mistakes: string[] = [];
  const problems: Problem[] = [];
  for (const [place, text] of named.entries()) {
    const parsed = parseIpRange(text);
    if ('range' in parsed) ranges.add(parsed.range);
    else {
      mistakes.push(`allowedIps.${place} ${parsed.mistake}`);
      problems.push({ path: `allowedIps.${place}`, ...parsed.broken });
    }
  }
  if (mistakes.length > 0) throw badRequest(mistakes.join('; '), ...problems);
  return [...ranges];
}

export function parsePermissions(named: readonly string[]): Permission[] {
  const unknown = named.find((permission) => !isPermission(permission));
  if (unknown !== undefined) {
    throw badRequest(
      `permissions must be among ${allPermissions.join(', ')}, not ${unknown}`,
      problem('permissions', 'one_of', { choices: allPermissions }),
    );
  }
  return [...new Set(named.filter(isPermission))];
}
