import type { AuditServices } from '../audit/wire.ts';
import type { Gate } from '../people/approvals/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createCertificateWatch } from './certificate-watch.ts';
import { createTrafficObserver } from './credential-traffic.ts';
import { createCredentialService } from './credentials.ts';
import { createNotificationTokens } from './notification-tokens.ts';
import type { PspCatalogue } from './psp-catalogue.ts';
import { createLivePsps, type Psps, sandboxConnection } from './psps.ts';
import type { PspAdapter } from './rules/psp.ts';
import { createSealedCredentials } from './sealed-credentials.ts';
import { createUnreadableResponses } from './unreadable-responses.ts';

export type ProviderServices = ReturnType<typeof wireProviders>;

interface Tools {
  catalogue: PspCatalogue;
  /** Stands in for every provider when a test key is used. */
  sandbox: PspAdapter;
}

export function wireProviders(base: Base & AuditServices & Gate, { catalogue, sandbox }: Tools) {
  const sealed = createSealedCredentials(base);
  const credentials = createCredentialService({ ...base, sealed, catalogue });
  const unreadableResponses = createUnreadableResponses(base);
  const psps: Psps = {
    test: ({ provider }) => Promise.resolve(sandboxConnection(catalogue.standIn(sandbox, provider))),
    live: createLivePsps(credentials, catalogue, unreadableResponses),
  };
  return {
    catalogue,
    credentials,
    unreadableResponses,
    psps,
    traffic: createTrafficObserver(base),
    notificationTokens: createNotificationTokens(base),
    certificateWatch: createCertificateWatch({ ...base, sealed, catalogue }),
  };
}
