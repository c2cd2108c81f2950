import type { AuditServices } from '../audit/wire.ts';
import type { LinkServices } from '../checkout/links/wire.ts';
import type { EventServices } from '../events/wire.ts';
import type { IdempotencyServices } from '../idempotency/wire.ts';
import type { PaymentServices } from '../payments/wire.ts';
import type { Gate } from '../people/approvals/wire.ts';
import type { ProviderServices } from '../providers/wire.ts';
import type { RoutingServices } from '../routing/wire.ts';
import type { SettlementServices } from '../settlement/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createDebitLists } from './debit-lists.ts';
import { createRecurrenceCreation } from './create-recurrence.ts';
import { createDueDebits } from './due-debits.ts';
import { createRecurrenceFollowing } from './follow-recurrence.ts';
import { createRecurrenceRunner } from './recurrence-runner.ts';
import type { SandboxAccount } from '../sandbox/rules/sandbox-account.ts';
import { createSandboxRecurrenceService } from './sandbox-recurrences.ts';
import { createRecurrenceService } from './recurrences.ts';

export type RecurrenceServices = ReturnType<typeof wireRecurrences>;

type Needs = AuditServices &
  Gate &
  EventServices &
  LinkServices &
  IdempotencyServices &
  PaymentServices &
  ProviderServices &
  RoutingServices &
  SettlementServices;

export function wireRecurrences(base: Base & Needs, sandbox: SandboxAccount) {
  const following = createRecurrenceFollowing(base);
  const runner = createRecurrenceRunner({ ...base, following, dueDebits: createDueDebits(base) });
  const createRecurrence = createRecurrenceCreation(base);
  return {
    recurrences: createRecurrenceService({ ...base, following, createRecurrence }),
    debitLists: createDebitLists(base),
    recurrenceRunner: runner,
    sandboxRecurrences: createSandboxRecurrenceService({ ...base, sandbox, runner }),
  };
}
