import { z } from 'zod';
import { isUuid } from '../core/base/ids.ts';
import { parseUrl } from '../core/base/parse-url.ts';
import { isRole, roles } from '../core/base/roles.ts';
import type { IdentityProvider } from '../core/people/rules/identity-provider.ts';
import { isLocal } from '../network/plaintext.ts';

const roleValues = z.string().transform((text, context) =>
  text.split(',').flatMap((pair) => {
    const [role = '', value = ''] = pair.split(/=(.*)/s).map((each) => each.trim());
    if (isRole(role) && value) return { role, value };
    context.addIssue(`must be comma-separated role=value pairs, each role one of ${roles.join(', ')}`);
    return [];
  }),
);

/** An OpenID Connect provider that people sign in with. */
export const identityProvider = {
  OIDC_ISSUER: z
    .url({ protocol: /^https?$/, error: 'must be a URL such as https://login.example.com/realms/main' })
    .optional(),
  OIDC_CLIENT_ID: z.string().optional(),
  OIDC_CLIENT_SECRET: z.string().optional(),
  OIDC_ORGANIZATION_ID: z.string().refine(isUuid, 'must be the id of an organization').optional(),
  OIDC_ROLES: roleValues.optional(),
  OIDC_ROLE_CLAIM: z.string().default('groups'),
  OIDC_SCOPES: z.string().default('openid email profile'),
  OIDC_NAME: z.string().max(40, 'must be at most 40 characters').default('SSO'),
};

const required = [
  'OIDC_ISSUER',
  'OIDC_CLIENT_ID',
  'OIDC_CLIENT_SECRET',
  'OIDC_ORGANIZATION_ID',
  'OIDC_ROLES',
] as const;

type Given = Readonly<Record<string, string | undefined>>;

export function providerMistakes(given: Given, named: ReadonlySet<string>, isProduction: boolean): string[] {
  const set = Object.keys(identityProvider).find((name) => given[name] !== undefined || named.has(name));
  if (set === undefined) return [];
  const mistakes = required
    .filter((name) => given[name] === undefined && !named.has(name))
    .map((name) => `${name}: is required with ${set}`);
  const issuer = parseUrl(given['OIDC_ISSUER'] ?? '');
  if (isProduction && issuer?.protocol === 'http:' && !isLocal(issuer.hostname))
    mistakes.push('OIDC_ISSUER: must be https when NODE_ENV=production: it says who signs in');
  return mistakes;
}

/** Undefined: people sign in with a password alone. */
export function identityProviderOf(
  settings: z.output<z.ZodObject<typeof identityProvider>>,
): IdentityProvider | undefined {
  const {
    OIDC_ISSUER: issuer,
    OIDC_CLIENT_ID: clientId,
    OIDC_CLIENT_SECRET: secret,
    OIDC_ORGANIZATION_ID: organizationId,
    OIDC_ROLES: roleValues,
  } = settings;
  if (!issuer || !clientId || !secret || !organizationId || !roleValues) return undefined;
  return {
    issuer,
    clientId,
    clientSecret: Object.freeze({ reveal: () => secret }),
    organizationId: organizationId.toLowerCase(),
    roles: roleValues,
    roleClaim: settings.OIDC_ROLE_CLAIM,
    scopes: settings.OIDC_SCOPES.split(/\s+/).filter(Boolean),
    name: settings.OIDC_NAME,
  };
}
