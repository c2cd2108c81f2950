import { z } from 'zod';
import { ServiceError } from '../base/errors.ts';
import { type AlertKind, alertKinds, isAlertKind } from './rules/conditions.ts';
import type { Database } from '../../database/database.ts';
import { findAlertPreference, saveAlertPreference } from './store/alert-emails.ts';
import type { RecordAudit } from '../audit/audit.ts';
import { assertMay, type Caller } from '../base/caller.ts';
import { parse } from '../base/parsing/parse.ts';

interface AlertPreferencesView {
  /** Kinds of alerts of live mode that the person gets by e-mail. */
  kinds: AlertKind[];
  /** Whether the service has a mail server. */
  sendsEmail: boolean;
}

/** Each person chooses for themselves; keys get no e-mails. */
export interface AlertPreferences {
  get(caller: Caller): Promise<AlertPreferencesView>;
  /** Parses `input`, which is `{kinds, language}`. */
  set(caller: Caller, input: unknown): Promise<AlertPreferencesView>;
}

interface Dependencies {
  db: Database;
  audit: { record: RecordAudit };
  sendsEmail: boolean;
}

const schema = z.object({
  kinds: z
    .array(z.enum(alertKinds, { error: `must be kinds of ${alertKinds.join(', ')}` }), {
      error: 'must be a list',
    })
    .transform((kinds) => alertKinds.filter((kind) => kinds.includes(kind))),
  language: z.enum(['pt', 'en'], { error: 'must be pt or en' }),
});

function personIdOf(caller: Caller): string {
  assertMay(caller, 'health:read');
  if (caller.kind === 'person') return caller.userId;
  throw new ServiceError('permission_denied', 'Only people get e-mails');
}

export function createAlertPreferences({ db, audit, sendsEmail }: Dependencies): AlertPreferences {
  return {
    async get(caller) {
      const known = await findAlertPreference(db, caller.organizationId, personIdOf(caller));
      return { kinds: (known?.kinds ?? []).filter(isAlertKind), sendsEmail };
    },

    async set(caller, input) {
      const userId = personIdOf(caller);
      const preference = parse(schema, input);
      const { organizationId } = caller;
      await db.$transaction(async (tx) => {
        await saveAlertPreference(tx, { organizationId, userId }, preference);
        await audit.record(tx, caller, 'member.set_alerts', userId, { kinds: preference.kinds });
      });
      return { kinds: preference.kinds, sendsEmail };
    },
  };
}
