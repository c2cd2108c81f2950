import { genericOAuth } from 'better-auth/plugins/generic-oauth';
import { isJsonObject, type JsonObject } from '../../base/json/json-object.ts';
import { type IdentityProvider, SignInRefusal } from '../rules/identity-provider.ts';
import { isTokenOf, type ProvidedIdentity, readIdentity, withUserInfo } from '../rules/provided-identity.ts';
import { providerId } from '../store/provider-accounts.ts';
import { createSignInLibrary, type SignInLibraryDependencies } from './sign-in-library.ts';
import { discover, discoveryUrl, type Discovered, providerTimeoutMs } from './provider-discovery.ts';

/** Claims that the ID token lacks, as it does at many providers. */
async function userInfo(url: string, accessToken: string | undefined): Promise<JsonObject> {
  const response = await fetch(url, {
    headers: { Authorization: `Bearer ${accessToken}` },
    redirect: 'error',
    signal: AbortSignal.timeout(providerTimeoutMs),
  });
  const claims: unknown = await response.json();
  return response.ok && isJsonObject(claims) ? claims : {};
}

const payloadOf = (jwt: string): JsonObject =>
  JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as JsonObject;

const untrusted = (what: string) =>
  new SignInRefusal('failed', undefined, new Error(`the provider sent ${what}`));

/** The library has verified signature, issuer, audience and nonce of the ID token. */
async function claimsOf(
  { idToken, accessToken }: { idToken?: string | undefined; accessToken?: string | undefined },
  { userinfo_endpoint: url }: Discovered,
  clientId: string,
): Promise<JsonObject> {
  // The library verifies nothing where there is none.
  if (!idToken) throw untrusted('no ID token');
  const claims = payloadOf(idToken);
  if (!isTokenOf(clientId, claims))
    throw untrusted('an ID token that does not end, or is for another client');
  return url === undefined ? claims : withUserInfo(claims, await userInfo(url, accessToken));
}

interface Options {
  provider: IdentityProvider;
  admit(identity: ProvidedIdentity): Promise<void>;
  onSignedIn(request: Request, userId: string): void;
}

/** Asks the provider how it is used. Fails when it does not respond. */
export async function openProviderLibrary(
  dependencies: SignInLibraryDependencies,
  { provider, admit, onSignedIn }: Options,
) {
  const { issuer, clientId, clientSecret, scopes, organizationId } = provider;
  const discovered = await discover(issuer);
  const isBasic = discovered.token_endpoint_auth_methods_supported.includes('client_secret_basic');
  const plugin = genericOAuth({
    config: [
      {
        providerId,
        discoveryUrl: discoveryUrl(issuer),
        requireIdTokenVerification: true,
        clientId,
        clientSecret: clientSecret.reveal(),
        authentication: isBasic ? 'basic' : 'post',
        scopes: [...scopes],
        disableSignUp: true,
        accountSubject: ({ profile }) => `${issuer} ${profile.sub}`,
        async getUserInfo(tokens) {
          const identity = readIdentity(await claimsOf(tokens, discovered, clientId), provider);
          await admit(identity);
          const { subject, email, name } = identity;
          return { id: subject, sub: subject, email, name, emailVerified: true };
        },
      },
    ],
  });
  const library = createSignInLibrary(dependencies, { plugin, organizationId, onSignedIn });
  const [opened] = (await library.$context).socialProviders;
  if (opened?.issuer !== issuer) throw new Error('the identity provider could not be read');
  return library;
}
