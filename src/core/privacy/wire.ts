import type { AuditServices } from '../audit/wire.ts';
import type { Base } from '../wiring/base.ts';
import { createPersonForgetter } from './forget-person.ts';
import { createForgetting } from './forgetting.ts';
import { createForgottenList } from './forgotten-list.ts';
import { createRetention, type RetentionDays } from './retention.ts';

export function wirePrivacy(base: Base & AuditServices, days: RetentionDays) {
  const forgetter = createPersonForgetter(base);
  return {
    personForgetter: forgetter,
    forgetting: createForgetting({ ...base, forgetter }),
    forgottenList: createForgottenList({ ...base, forgetter }),
    retention: createRetention({ ...base, days }),
  };
}
