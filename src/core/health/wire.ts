import type { AuditServices } from '../audit/wire.ts';
import type { Mailer } from '../people/rules/mailer.ts';
import type { Base } from '../wiring/base.ts';
import { createAlertMail } from './alert-mail.ts';
import { createAlertPreferences } from './alert-preferences.ts';
import { createAlertWatch } from './alert-watch.ts';
import { createAttentionService } from './attention.ts';
import { createBacklog } from './backlog.ts';
import { createCallRecorder } from './call-recorder.ts';
import { createDatabaseWatch } from './database-watch.ts';
import { createProviderHealth } from './provider-health.ts';
import type { CallLedger } from './rules/call-ledger.ts';

interface Tools {
  /** Undefined without a mail server. */
  mailer: Mailer | undefined;
  /** Counts the calls of all adapters. */
  callLedger: Pick<CallLedger, 'take'>;
}

export function wireHealth(base: Base & AuditServices, { mailer, callLedger }: Tools) {
  const sendsEmail = mailer !== undefined;
  return {
    alertMail: createAlertMail({ ...base, mailer }),
    alertPreferences: createAlertPreferences({ ...base, sendsEmail }),
    alertWatch: createAlertWatch({ ...base, sendsEmail }),
    attention: createAttentionService(base),
    backlog: createBacklog(base),
    databaseWatch: createDatabaseWatch(base),
    callRecorder: createCallRecorder({ ...base, ledger: callLedger }),
    providerHealth: createProviderHealth(base),
  };
}
