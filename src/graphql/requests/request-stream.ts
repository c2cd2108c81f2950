import { Resolver, Root, Subscription } from 'type-graphql';
import type { FeedItem } from '../../core/live/request-feed.ts';
import type { GraphqlContext } from '../base/context.ts';
import { RequestFeedItem } from './served-request-types.ts';

@Resolver()
export class RequestStreamResolver {
  @Subscription(() => RequestFeedItem, {
    description: 'Requests of the test key as they are served, on any node. Nothing is kept from before.',
    subscribe: ({ context }: { context: GraphqlContext }) =>
      context.services.requestFeed.follow(context.caller),
  })
  requestsServed(@Root() { event, data }: FeedItem): RequestFeedItem {
    if (event === 'request') return { request: data };
    return event === 'missed' ? { missed: data.count } : { allNodes: data.allNodes };
  }
}
