import { Resolver, Root, Subscription } from 'type-graphql';
import type { RecurrenceView } from '../../core/recurrences/views/recurrence-view.ts';
import type { GraphqlContext } from '../base/context.ts';
import { forSignedInUsers } from '../base/descriptions.ts';
import { Recurrence } from './recurrence-types.ts';

@Resolver()
export class LiveRecurrenceResolver {
  @Subscription(() => Recurrence, {
    description: `Recurrences as they are made, permitted, refused and ended. One may be missed: read them from time to time. ${forSignedInUsers}`,
    subscribe: ({ context }: { context: GraphqlContext }) =>
      context.services.liveRecurrences.watchAll(context.caller),
  })
  recurrencesUpdated(@Root() recurrence: RecurrenceView): Recurrence {
    return recurrence;
  }
}
