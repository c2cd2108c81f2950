import { z } from 'zod';
import { isJsonObject, type JsonObject } from '../../base/json/json-object.ts';
import type { Role } from '../../base/roles.ts';
import { type IdentityProvider, SignInRefusal } from './identity-provider.ts';

/** Who the provider says has signed in. */
export interface ProvidedIdentity {
  subject: string;
  email: string;
  name: string;
  role: Role;
}

const maximumName = 200;

/** Some providers send `email_verified` as a text. */
const schema = z.object({
  sub: z.string().min(1).max(255),
  // The Kelvin sign is no K, but becomes a k: the address is that of somebody else.
  email: z.string().trim().max(254).pipe(z.email().toLowerCase()),
  email_verified: z.union([z.literal(true), z.literal('true')]),
});

/** Names of claims may have dots themselves, as those of Auth0 do. */
function claimAt(claims: JsonObject, path: string): unknown {
  if (Object.hasOwn(claims, path)) return claims[path];
  return path
    .split('.')
    .reduce<unknown>((value, name) => (isJsonObject(value) ? value[name] : undefined), claims);
}

/** What OpenID Connect asks of an ID token and the library does not look at: that it ends, and was issued to this client. */
export function isTokenOf(clientId: string, { exp, aud, azp }: JsonObject): boolean {
  const isIssuedToClient = azp === undefined ? [aud].flat().length === 1 : azp === clientId;
  return typeof exp === 'number' && isIssuedToClient;
}

/**
 * Adds what the provider says elsewhere of whoever the ID token is about. Who vouches for an address vouches for none that stands
 * elsewhere.
 */
export function withUserInfo(token: JsonObject, userInfo: JsonObject): JsonObject {
  if (userInfo['sub'] !== token['sub']) return token;
  const { email = userInfo['email'] } = token;
  const isVouchedFor = email === userInfo['email'] ? userInfo['email_verified'] : undefined;
  const verified = token['email'] === undefined ? isVouchedFor : (token['email_verified'] ?? isVouchedFor);
  return { ...userInfo, ...token, email, email_verified: verified };
}

/** Fails with a SignInRefusal, above all where nobody vouches for the e-mail address: it decides whose account is opened. */
export function readIdentity(
  claims: JsonObject,
  { roleClaim, roles }: Pick<IdentityProvider, 'roleClaim' | 'roles'>,
): ProvidedIdentity {
  const parsed = schema.safeParse(claims);
  if (!parsed.success) throw new SignInRefusal('email_not_verified');
  const { sub: subject, email } = parsed.data;
  const values = [claimAt(claims, roleClaim)].flat();
  const role = roles.find(({ value }) => values.includes(value))?.role;
  if (!role) throw new SignInRefusal('no_role', email);
  const name = typeof claims['name'] === 'string' ? claims['name'].trim().slice(0, maximumName) : '';
  return { subject, email, name: name || email, role };
}
