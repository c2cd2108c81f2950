import { beginningOf, type KeyRing, open, rewrap, sealingKey } from '../domain/security/envelope.ts';
import type { SealedTable } from '../persistence/sealed-secrets.ts';
import { signInKeyVersion, signInSecrets } from './sign-in/sign-in-secrets.ts';

/** One kind of what is kept encrypted. */
export interface SealedKind {
  table: SealedTable;
  /** By which PostgreSQL finds the mark of the key in a sealed text. */
  markPattern: string;
  markOf(keyId: string): string;
  /** What a text begins with that is sealed with the first key of the ring. */
  currentBeginning: string;
  /** Fails when the ring does not open it. */
  open(sealed: string, rowId: string): Promise<unknown>;
  /** As it is when the first key sealed it. */
  rewrap(sealed: string, rowId: string): Promise<string>;
}

const inEnvelopes = (ring: KeyRing, table: SealedTable): SealedKind => ({
  table,
  markPattern: String.raw`^v1\.([\w-]+)\.`,
  markOf: (keyId) => keyId,
  currentBeginning: beginningOf(sealingKey(ring).id),
  open: async (sealed, rowId) => open(ring, sealed, rowId),
  rewrap: async (sealed, rowId) => rewrap(ring, sealed, rowId) ?? sealed,
});

/** As the sign-in library encrypts, under secrets that are derived from the ring. */
function bySignInLibrary(ring: KeyRing, table: SealedTable): SealedKind {
  const secrets = signInSecrets(ring);
  const currentVersion = signInKeyVersion(sealingKey(ring).id);
  const key = { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion };
  const currentBeginning = `$ba$${currentVersion}$`;
  const decrypt = async (data: string): Promise<string> =>
    (await import('./sign-in/sign-in-library.ts')).symmetricDecrypt({ key, data });
  return {
    table,
    markPattern: String.raw`^\$ba\$(\d+)\$`,
    markOf: (keyId) => String(signInKeyVersion(keyId)),
    currentBeginning,
    open: decrypt,
    async rewrap(sealed) {
      if (sealed.startsWith(currentBeginning)) return sealed;
      const { symmetricEncrypt } = await import('./sign-in/sign-in-library.ts');
      return symmetricEncrypt({ key, data: await decrypt(sealed) });
    },
  };
}

/** All that is sealed besides the canary, by the names under which people are told of it. */
export const createSealedKinds = (ring: KeyRing) => ({
  credentials: inEnvelopes(ring, 'credential'),
  webhookEndpoints: inEnvelopes(ring, 'webhook_endpoint'),
  secondFactors: bySignInLibrary(ring, 'two_factor'),
  approvalRequests: inEnvelopes(ring, 'approval_request'),
});

export type SealedName = keyof ReturnType<typeof createSealedKinds>;
