import type { AuditServices } from '../audit/wire.ts';
import type { Base } from '../wiring/base.ts';
import type { Gate } from './approvals/wire.ts';
import { createInvitationLinks } from './invitation-links.ts';
import { createInvitationService } from './invitations.ts';
import { createApiKeyService } from './keys/api-keys.ts';
import { createKeyAuthentication } from './keys/key-authentication.ts';
import { createKeyLimits } from './keys/key-limits.ts';
import { createLinkMail } from './link-mail.ts';
import { createMemberService } from './members.ts';
import { createOrganizationProfileService } from './organizations/organization-profile.ts';
import { createOrganizationSettingsService } from './organizations/organization-settings.ts';
import { createOrganizationService } from './organizations/organizations.ts';
import { createPasswordRecovery } from './password-recovery.ts';
import { createPasswordService } from './passwords.ts';
import type { Mailer } from './rules/mailer.ts';
import type { RateLimits } from './rules/rate-limits.ts';
import { createSessionService } from './sessions.ts';

export type PeopleServices = ReturnType<typeof wirePeople>;

interface Tools {
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  keyCacheMs: number;
  rateLimits: RateLimits;
}

export function wirePeople(base: Base & AuditServices & Gate, { mailer, keyCacheMs, rateLimits }: Tools) {
  const linkMail = createLinkMail({ ...base, mailer });
  const watched = { ...base, changes: base.callerChanges, rateLimits };
  return {
    organizations: createOrganizationService(base),
    organizationSettings: createOrganizationSettingsService(watched),
    organizationProfile: createOrganizationProfileService(base),
    members: createMemberService(watched),
    invitations: createInvitationService({ ...base, linkMail }),
    invitationLinks: createInvitationLinks(base),
    linkMail,
    passwords: createPasswordService(watched),
    passwordRecovery: createPasswordRecovery({ ...base, linkMail }),
    sessions: createSessionService(watched),
    apiKeys: createApiKeyService(watched),
    keyAuthentication: createKeyAuthentication({ ...watched, cacheMs: keyCacheMs }),
    keyLimits: createKeyLimits({ ...watched, cacheMs: keyCacheMs }),
  };
}
