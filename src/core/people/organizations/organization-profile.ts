import { z } from 'zod';
import { badRequest, notFound } from '../../base/errors.ts';
import { isUuid, newId } from '../../base/ids.ts';
import {
  contrastOf,
  isHexColor,
  isSeenOnWhite,
  minimumContrast,
  shadeSeenOnWhite,
  textColorOn,
} from '../rules/brand-color.ts';
import { logoSides, maximumLogoBytes, readLogo } from '../rules/logo.ts';
import { breaks, broken, problem } from '../../base/problems/rules.ts';
import { defaultTimeZone, wholeHourZone } from '../../base/time/zone.ts';
import type { Database, Queryable } from '../../../database/database.ts';
import { gather } from '../../../database/gather.ts';
import {
  changeProfile,
  findLogos,
  findProfile,
  lockProfile,
  type LogoRow,
  type ProfileRow,
  replaceLogo,
} from '../store/organization-profiles.ts';
import type { RecordAudit } from '../../audit/audit.ts';
import { assertMay, type Caller } from '../../base/caller.ts';
import { parse } from '../../base/parsing/parse.ts';

/** What payers see of an organization. */
export interface Branding {
  name: string;
  /** Path at this service, which never serves another image; null without a logo. */
  logoPath: string | null;
  /** Written like `#0f766e`, with a contrast of at least 3 on white; null when none is chosen. */
  brandColor: string | null;
  /** White or black, whichever is readable on the brand color; null without one. */
  brandTextColor: string | null;
}

interface OrganizationProfileView extends Branding {
  /** IANA name of a zone whose days begin on whole hours of UTC. */
  timeZone: string;
}

const timeZoneProblem = breaks(
  'must be an IANA time zone whose days begin on whole hours of UTC',
  broken('time_zone'),
);

const changeSchema = z.strictObject(
  {
    brandColor: z
      .string({ error: 'must be a string' })
      .refine(isHexColor, breaks('must be a color such as #0f766e', broken('hex_color')))
      .transform((color) => color.toLowerCase())
      .nullish(),
    timeZone: z
      .string({ error: 'must be a string' })
      .refine((name) => wholeHourZone(name) !== undefined, timeZoneProblem)
      .transform((name) => wholeHourZone(name) ?? defaultTimeZone)
      .nullish(),
  },
  { error: 'must be an object' },
);

export interface OrganizationProfileService {
  /** Needs no caller, because the pages that show logos are public. */
  logo(id: string): Promise<LogoRow | null>;
  get(caller: Caller): Promise<OrganizationProfileView>;
  /** `input`: `{brandColor?, timeZone?}`. Absent members stay unchanged; null restores the default. */
  update(caller: Caller, input: unknown): Promise<OrganizationProfileView>;
  /** `image` in base64. */
  setLogo(caller: Caller, image: string): Promise<OrganizationProfileView>;
  removeLogo(caller: Caller): Promise<OrganizationProfileView>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  now: () => Date;
}

export const brandingOf = ({ name, brandColor, logoId }: Omit<ProfileRow, 'timeZone'>): Branding => ({
  name,
  logoPath: logoId === null ? null : `/logos/${logoId}`,
  brandColor,
  brandTextColor: brandColor && isHexColor(brandColor) ? textColorOn(brandColor) : null,
});

const viewOf = (row: ProfileRow): OrganizationProfileView => ({
  ...brandingOf(row),
  timeZone: row.timeZone ?? defaultTimeZone,
});

function assertSeen(color: string): void {
  if (!isHexColor(color) || isSeenOnWhite(color)) return;
  const suggestion = shadeSeenOnWhite(color);
  const contrast = contrastOf(color, '#ffffff').toFixed(1);
  throw badRequest(
    `brandColor must have a contrast of at least ${minimumContrast} on white, not ${contrast}: ${suggestion} has`,
    problem('brandColor', 'contrast', { minimum: minimumContrast, suggestion }),
  );
}

const base64 = /^[A-Za-z0-9+/]*={0,2}$/;

function parseLogo(image: string): LogoRow & { width: number; height: number } {
  const bytes = base64.test(image) ? Buffer.from(image, 'base64') : Buffer.alloc(0);
  if (bytes.length > maximumLogoBytes) {
    throw badRequest(
      `image must be at most ${maximumLogoBytes} bytes`,
      problem('image', 'max_bytes', { maximum: maximumLogoBytes }),
    );
  }
  const read = readLogo(bytes);
  if (!read) throw badRequest('image must be a PNG, JPEG or WebP file in base64', problem('image', 'image'));
  const { minimum, maximum } = logoSides;
  if ([read.width, read.height].some((side) => side < minimum || side > maximum)) {
    throw badRequest(
      `image must be ${minimum} to ${maximum} pixels wide and high`,
      problem('image', 'image_sides', { minimum, maximum }),
    );
  }
  return { ...read, bytes };
}

export function createOrganizationProfileService(dependencies: Dependencies): OrganizationProfileService {
  const { db, audit, now } = dependencies;
  const findLogo = gather((ids: readonly string[]) => findLogos(db, ids), { onlyReads: true });

  async function existing(organizationId: string): Promise<ProfileRow> {
    const row = isUuid(organizationId) ? await findProfile(db, organizationId) : null;
    if (!row) throw notFound('Organization', organizationId);
    return row;
  }

  /** Locks the profile while `work` changes it. */
  async function changed(
    { organizationId }: Caller,
    work: (tx: Queryable, before: ProfileRow) => Promise<void>,
  ): Promise<OrganizationProfileView> {
    return db.$transaction(async (tx) => {
      const before = await lockProfile(tx, organizationId);
      if (!before) throw notFound('Organization', organizationId);
      await work(tx, before);
      return viewOf((await findProfile(tx, organizationId)) ?? before);
    });
  }

  return {
    logo: async (id) => (isUuid(id) ? findLogo(id.toLowerCase()) : null),

    async get(caller) {
      assertMay(caller, 'settings:read');
      return viewOf(await existing(caller.organizationId));
    },

    async update(caller, input) {
      assertMay(caller, 'settings:manage');
      const change = parse(changeSchema, input);
      if (change.brandColor) assertSeen(change.brandColor);
      return changed(caller, async (tx, { brandColor, timeZone }) => {
        const before = { brandColor, timeZone };
        const after = { ...before, ...change };
        if (after.brandColor === brandColor && after.timeZone === timeZone) return;
        await changeProfile(tx, caller.organizationId, after);
        const details = { from: before, to: after };
        await audit.record(tx, caller, 'organization.update_profile', caller.organizationId, details);
      });
    },

    async setLogo(caller, image) {
      assertMay(caller, 'settings:manage');
      const { width, height, ...logo } = parseLogo(image);
      const { organizationId } = caller;
      return changed(caller, async (tx) => {
        await replaceLogo(tx, organizationId, { id: newId(now()), ...logo });
        const details = { contentType: logo.contentType, width, height };
        await audit.record(tx, caller, 'organization.set_logo', organizationId, details);
      });
    },

    async removeLogo(caller) {
      assertMay(caller, 'settings:manage');
      const { organizationId } = caller;
      return changed(caller, async (tx, { logoId }) => {
        if (logoId === null) return;
        await replaceLogo(tx, organizationId, null);
        await audit.record(tx, caller, 'organization.remove_logo', organizationId);
      });
    },
  };
}
