import { sealedPrefix, type KeyRing, open, rewrap, sealingKey } from './rules/envelope.ts';
import type { SealedTable } from './store/sealed-secrets.ts';
import { signInKeyVersion, signInSecrets } from '../people/sign-in/sign-in-secrets.ts';

/** A kind of sealed data. */
export interface SealedKind {
  table: SealedTable;
  /** PostgreSQL pattern that extracts the mark of the key from a sealed text. */
  markPattern: string;
  markOf(keyId: string): string;
  /** Prefix of texts sealed with the first key of the ring. */
  currentPrefix: string;
  /** Fails when no key of the ring opens it. */
  open(sealed: string, rowId: string): Promise<unknown>;
  /** Returns it sealed with the first key. */
  rewrap(sealed: string, rowId: string): Promise<string>;
}

const inEnvelopes = (ring: KeyRing, table: SealedTable): SealedKind => ({
  table,
  markPattern: String.raw`^v1\.([\w-]+)\.`,
  markOf: (keyId) => keyId,
  currentPrefix: sealedPrefix(sealingKey(ring).id),
  open: async (sealed, rowId) => open(ring, sealed, rowId),
  rewrap: async (sealed, rowId) => rewrap(ring, sealed, rowId) ?? sealed,
});

/** Encrypted by the sign-in library, with secrets derived from the ring. */
function bySignInLibrary(ring: KeyRing, table: SealedTable): SealedKind {
  const secrets = signInSecrets(ring);
  const currentVersion = signInKeyVersion(sealingKey(ring).id);
  const key = { keys: new Map(secrets.map(({ version, value }) => [version, value])), currentVersion };
  const currentPrefix = `$ba$${currentVersion}$`;
  const decrypt = async (data: string): Promise<string> =>
    (await import('../people/sign-in/sign-in-library.ts')).symmetricDecrypt({ key, data });
  return {
    table,
    markPattern: String.raw`^\$ba\$(\d+)\$`,
    markOf: (keyId) => String(signInKeyVersion(keyId)),
    currentPrefix,
    open: decrypt,
    async rewrap(sealed) {
      if (sealed.startsWith(currentPrefix)) return sealed;
      const { symmetricEncrypt } = await import('../people/sign-in/sign-in-library.ts');
      return symmetricEncrypt({ key, data: await decrypt(sealed) });
    },
  };
}

/** Everything sealed except the canary, by its public name. */
export const createSealedKinds = (ring: KeyRing) => ({
  credentials: inEnvelopes(ring, 'credential'),
  webhookEndpoints: inEnvelopes(ring, 'webhook_endpoint'),
  secondFactors: bySignInLibrary(ring, 'two_factor'),
  approvalRequests: inEnvelopes(ring, 'approval_request'),
  unreadableResponses: inEnvelopes(ring, 'unreadable_response'),
  forgottenPeople: inEnvelopes(ring, 'forgotten_person'),
  linkEmails: inEnvelopes(ring, 'link_email'),
  disputes: inEnvelopes(ring, 'dispute'),
  disputeDocuments: inEnvelopes(ring, 'dispute_document'),
  checkoutKeys: inEnvelopes(ring, 'checkout_key'),
});

export type SealedName = keyof ReturnType<typeof createSealedKinds>;
