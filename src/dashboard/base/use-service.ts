import { notifications } from '@mantine/notifications';
import {
  type InfiniteData,
  type Query,
  type QueryFilters,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { TadaDocumentNode } from 'gql.tada';
import { useEffect } from 'react';
import { request, type Workplace } from '../api/request.ts';
import { ServiceError } from '../api/service-error.ts';
import { messagePlace } from './message-place.ts';
import { usePageSize } from './page-size.ts';
import { throttle } from './throttle.ts';
import { refetchActive } from './refetch-active.ts';
import { useSession } from './use-session.ts';
import { useWorkplace } from './use-workplace.ts';

type Document<Result, Variables> = TadaDocumentNode<Result, Variables>;

const nameOf = (document: object): unknown =>
  (document as { definitions: { name?: { value: string } }[] }).definitions[0]?.name?.value;

/** Shows the sign-in over the current page once the session has ended. */
function useExecute(mode: Workplace['mode']) {
  const { organizationId } = useWorkplace();
  const { refresh } = useSession();
  return async <Result, Variables extends object>(
    document: Document<Result, Variables>,
    variables: Variables,
  ): Promise<Result> => {
    try {
      return await request(document, variables, { organizationId, mode });
    } catch (error) {
      if (error instanceof ServiceError && error.isAboutPerson) void refresh();
      throw error;
    }
  };
}

export function useServiceQuery<Result, Variables extends object>(
  document: Document<Result, Variables>,
  variables: Variables,
  options: {
    enabled?: boolean;
    /** Whether the data of the previous variables stays visible while these load. */
    keepPrevious?: (before: Variables) => boolean;
    refetchIntervalMs?: number | ((read: Result | undefined) => number | false);
    /** Asks in another mode than that of the page. */
    mode?: Workplace['mode'];
  } = {},
) {
  const { organizationId, mode: ownMode } = useWorkplace();
  const { mode = ownMode } = options;
  const execute = useExecute(mode);
  const { keepPrevious, refetchIntervalMs = false } = options;
  return useQuery<Result>({
    queryKey: [organizationId, mode, nameOf(document), variables],
    queryFn: () => execute(document, variables),
    enabled: options.enabled ?? true,
    placeholderData: (read, before) =>
      before && keepPrevious?.(before.queryKey[3] as Variables) ? read : undefined,
    refetchInterval: ({ state }) =>
      typeof refetchIntervalMs === 'function' ? refetchIntervalMs(state.data) : refetchIntervalMs,
  });
}

/** Reads once, bypassing the cache. */
export function useServiceRead<Result, Variables extends object>(document: Document<Result, Variables>) {
  const execute = useExecute(useWorkplace().mode);
  return (variables: Variables): Promise<Result> => execute(document, variables);
}

/** Tells the button below a list what to do. */
export interface More {
  load: () => void;
  isLoading: boolean;
  error: unknown;
}

interface Connection<Node> {
  edges: { node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

interface PageVariables {
  /** Lists without it are read in pages of a length of their own. */
  first?: number;
  after?: string | null | undefined;
}

/** Reads a connection page by page. `first` and `after` are added to the variables. */
export function useServicePages<Result, Variables extends PageVariables, Node>(
  document: Document<Result, Variables>,
  variables: Omit<Variables, keyof PageVariables>,
  connectionOf: (result: Result) => Connection<Node>,
  options: {
    refetchIntervalMs?: (nodes: Node[]) => number | false;
    /** Whether the data of the previous variables stays visible while these load. */
    keepPrevious?: boolean;
  } = {},
) {
  const { organizationId, mode } = useWorkplace();
  const execute = useExecute(mode);
  const [first] = usePageSize();
  const nodesOf = (pages: Connection<Node>[] = []) =>
    pages.flatMap(({ edges }) => edges.map(({ node }) => node));
  const result = useInfiniteQuery({
    queryKey: [organizationId, mode, nameOf(document), variables, first],
    queryFn: async ({ pageParam }) =>
      connectionOf(
        await execute(document, { ...variables, first, after: pageParam } as unknown as Variables),
      ),
    initialPageParam: null as string | null,
    placeholderData: options.keepPrevious ? (read) => read : undefined,
    getNextPageParam: ({ pageInfo }) => (pageInfo.hasNextPage ? pageInfo.endCursor : undefined),
    refetchInterval: ({ state }) => options.refetchIntervalMs?.(nodesOf(state.data?.pages)) ?? false,
  });
  const { data, error, refetch, isFetchNextPageError: hasMoreFailed } = result;
  const more: More | undefined = result.hasNextPage
    ? {
        load: () => void result.fetchNextPage(),
        isLoading: result.isFetchingNextPage,
        error: hasMoreFailed ? error : null,
      }
    : undefined;
  return {
    data: data && nodesOf(data.pages),
    pageCount: data?.pages.length ?? 0,
    /** Whether the data is that of the previous variables. */
    isStale: result.isPlaceholderData,
    error: hasMoreFailed ? null : error,
    refetch,
    more,
  };
}

/**
 * Invalidates every query of the workplace once settled, also when the response was lost.
 * `done` is shown once the service has done it.
 */
export function useServiceMutation<Result, Variables extends object>(
  document: Document<Result, Variables>,
  done?: string,
) {
  const client = useQueryClient();
  const { organizationId, mode } = useWorkplace();
  const execute = useExecute(mode);
  return useMutation({
    mutationFn: (variables: Variables) => execute(document, variables),
    onSuccess: () => {
      if (done !== undefined) notify(done);
    },
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [organizationId, mode] });
    },
  });
}

/** Background refetches of several windows must leave most of the rate limit to the person. */
const msPerRequest = 500;

const requestsOf = ({ state }: Query): number =>
  (state.data as Partial<InfiniteData<unknown>> | undefined)?.pages?.length ?? 1;

const backoffMsOf = ({ state: { error } }: Query): number =>
  error instanceof ServiceError ? error.retryAfterSeconds * 1_000 : 0;

interface LiveRefreshOptions {
  /** Defaults to all active queries. */
  of?: readonly object[];
  /** Refetches are at least this far apart. */
  throttleMs?: number;
}

/** Refetches on live updates, throttled by what a refetch costs. */
export function useLiveRefresh<Result, Variables extends Record<string, unknown>>(
  document: Document<Result, Variables>,
  variables: Variables,
  { of, throttleMs = 0 }: LiveRefreshOptions = {},
): void {
  const client = useQueryClient();
  const { organizationId, mode, live } = useWorkplace();
  const text = JSON.stringify(variables);
  const names = JSON.stringify(of?.map(nameOf)) as string | undefined;
  useEffect(() => {
    const queries: QueryFilters = {
      queryKey: [organizationId, mode],
      predicate: ({ queryKey }) => !names || names.includes(JSON.stringify(queryKey[2])),
    };
    const refresh = throttle(async (rerun) => {
      // A fetch in progress may have read the data before the change.
      if (client.isFetching(queries) > 0) rerun();
      await refetchActive(client, queries, { cancelRefetch: false });
      const read = client.getQueryCache().findAll({ ...queries, type: 'active' });
      const backoffMs = Math.max(0, ...read.map(backoffMsOf));
      if (backoffMs > 0) rerun();
      const requests = read.reduce((sum, query) => sum + requestsOf(query), 0);
      return Math.max(throttleMs, requests * msPerRequest, backoffMs);
    });
    const unsubscribe = live.subscribe(document, JSON.parse(text) as Variables, refresh.trigger);
    return () => {
      refresh.stop();
      unsubscribe();
    };
  }, [client, organizationId, mode, live, document, text, names, throttleMs]);
}

export const notify = (message: string): void => {
  notifications.show({ message, color: 'teal', position: messagePlace() });
};

export const notifyFailure = (message: string): void => {
  notifications.show({ message, color: 'red', position: messagePlace() });
};
