import { assertMay, type Caller } from '../base/caller.ts';
import type { PaymentHints } from '../events/payment-hints.ts';
import type { RecurrenceService } from '../recurrences/recurrences.ts';
import type { RecurrenceView } from '../recurrences/views/recurrence-view.ts';
import { closable, createBell, itemsOf } from './bell.ts';
import { createSubscriptionSlots } from './subscription-slots.ts';

/** Recurrences as they are made, and as their status changes. What happens while nodes cannot hear each other is not shown. */
export interface LiveRecurrences {
  watchAll(caller: Caller): AsyncGenerator<RecurrenceView>;
}

interface Dependencies {
  recurrences: Pick<RecurrenceService, 'get'>;
  hints: Pick<PaymentHints, 'subscribe'>;
}

const maximumPerPerson = 100;

export function createLiveRecurrences({ recurrences, hints }: Dependencies): LiveRecurrences {
  const takeSlot = createSubscriptionSlots(() => maximumPerPerson);
  return {
    watchAll(caller) {
      assertMay(caller, 'payments:investigate');
      const leaveSlot = takeSlot(caller);
      const bell = createBell();
      const changed = new Set<string>();
      const ignore = hints.subscribe((hint) => {
        if (hint?.kind !== 'recurrence') return;
        if (hint.organizationId !== caller.organizationId || hint.mode !== caller.mode) return;
        changed.add(hint.id);
        bell.ring();
      });
      const next = async (): Promise<RecurrenceView | undefined> => {
        while (changed.size === 0) if (!(await bell.waitForRing())) return undefined;
        const [id = ''] = changed;
        changed.delete(id);
        return recurrences.get(caller, id);
      };
      return closable(itemsOf(next), () => {
        bell.end();
        ignore();
        leaveSlot();
      });
    },
  };
}
