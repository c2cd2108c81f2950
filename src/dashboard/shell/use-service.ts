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
import { ask } from '../api/request.ts';
import { Refusal } from '../api/service-error.ts';
import type { More } from '../ui/data-table.tsx';
import { calmly } from './throttle.ts';
import { readAgain } from './refetch-active.ts';
import { useSession } from './use-session.ts';
import { useWorkplace } from './use-workplace.ts';

type Document<Result, Variables> = TadaDocumentNode<Result, Variables>;

/** Documents are made once, so that each is its own key. */
const nameOf = (document: object): unknown =>
  (document as { definitions: { name?: { value: string } }[] }).definitions[0]?.name?.value;

/** A person whose session ended sees the sign-in again, and then the page where it happened. */
function useAsk() {
  const { organizationId, mode } = useWorkplace();
  const { refresh } = useSession();
  return async <Result, Variables extends object>(
    document: Document<Result, Variables>,
    variables: Variables,
  ): Promise<Result> => {
    try {
      return await ask(document, variables, { organizationId, mode });
    } catch (error) {
      if (error instanceof Refusal && error.isAboutPerson) void refresh();
      throw error;
    }
  };
}

/** What the service answers to a query, kept while it is shown. */
export function useServiceQuery<Result, Variables extends object>(
  document: Document<Result, Variables>,
  variables: Variables,
  options: {
    enabled?: boolean;
    /** Whether what was read with other variables is shown until these are read. */
    keepPrevious?: (before: Variables) => boolean;
    /** How long what was read is good; for ever when false. */
    refetchIntervalMs?: number | ((read: Result | undefined) => number | false);
  } = {},
) {
  const { organizationId, mode } = useWorkplace();
  const asked = useAsk();
  const { keepPrevious, refetchIntervalMs = false } = options;
  return useQuery<Result>({
    queryKey: [organizationId, mode, nameOf(document), variables],
    queryFn: () => asked(document, variables),
    enabled: options.enabled ?? true,
    placeholderData: (read, before) =>
      before && keepPrevious?.(before.queryKey[3] as Variables) ? read : undefined,
    refetchInterval: ({ state }) =>
      typeof refetchIntervalMs === 'function' ? refetchIntervalMs(state.data) : refetchIntervalMs,
  });
}

/** Reads once, apart from what is shown: the answer stays as it is when that changes. */
export function useServiceRead<Result, Variables extends object>(document: Document<Result, Variables>) {
  const asked = useAsk();
  return (variables: Variables): Promise<Result> => asked(document, variables);
}

interface Connection<Node> {
  edges: { node: Node }[];
  pageInfo: { hasNextPage: boolean; endCursor: string | null };
}

/** A connection, page after page. `after` is added to the variables. */
export function useServicePages<Result, Variables extends { after?: string | null | undefined }, Node>(
  document: Document<Result, Variables>,
  variables: Omit<Variables, 'after'>,
  connectionOf: (result: Result) => Connection<Node>,
  options: {
    /** How long what was read is good; for ever when false. */
    refetchIntervalMs?: (nodes: Node[]) => number | false;
  } = {},
) {
  const { organizationId, mode } = useWorkplace();
  const asked = useAsk();
  const nodesOf = (pages: Connection<Node>[] = []) =>
    pages.flatMap(({ edges }) => edges.map(({ node }) => node));
  const result = useInfiniteQuery({
    queryKey: [organizationId, mode, nameOf(document), variables],
    queryFn: async ({ pageParam }) =>
      connectionOf(await asked(document, { ...variables, after: pageParam } as Variables)),
    initialPageParam: null as string | null,
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
  return { data: data && nodesOf(data.pages), error: hasMoreFailed ? null : error, refetch, more };
}

/** Changes something; then all that is shown is read again, also when the answer was lost. */
export function useServiceMutation<Result, Variables extends object>(document: Document<Result, Variables>) {
  const client = useQueryClient();
  const asked = useAsk();
  const { organizationId, mode } = useWorkplace();
  return useMutation({
    mutationFn: (variables: Variables) => asked(document, variables),
    onSettled: () => {
      void client.invalidateQueries({ queryKey: [organizationId, mode] });
    },
  });
}

/** What is watched in several windows leaves most of a person's limit to what the person does. */
const msPerRequest = 500;

const requestsOf = ({ state }: Query): number =>
  (state.data as Partial<InfiniteData<unknown>> | undefined)?.pages?.length ?? 1;

const refusedForMs = ({ state: { error } }: Query): number =>
  error instanceof Refusal ? error.retryAfterSeconds * 1_000 : 0;

interface LiveRefreshOptions {
  /** These queries; all that are shown when left out. */
  of?: readonly object[];
  /** How long it rests at least after each time. */
  calmMs?: number;
}

/** Reads what is shown again when a subscription tells of a change: the more that costs, the less often. */
export function useLiveRefresh<Result, Variables extends Record<string, unknown>>(
  document: Document<Result, Variables>,
  variables: Variables,
  { of, calmMs = 0 }: LiveRefreshOptions = {},
): void {
  const client = useQueryClient();
  const { organizationId, mode, live } = useWorkplace();
  const text = JSON.stringify(variables);
  const names = JSON.stringify(of?.map(nameOf)) as string | undefined;
  useEffect(() => {
    const shown: QueryFilters = {
      queryKey: [organizationId, mode],
      predicate: ({ queryKey }) => !names || names.includes(JSON.stringify(queryKey[2])),
    };
    const refresh = calmly(async (again) => {
      // What is being read already may have been read before the change.
      if (client.isFetching(shown) > 0) again();
      await readAgain(client, shown, { cancelRefetch: false });
      const read = client.getQueryCache().findAll({ ...shown, type: 'active' });
      const refusedMs = Math.max(0, ...read.map(refusedForMs));
      if (refusedMs > 0) again();
      const requests = read.reduce((sum, query) => sum + requestsOf(query), 0);
      return Math.max(calmMs, requests * msPerRequest, refusedMs);
    });
    const unsubscribe = live.subscribe(document, JSON.parse(text) as Variables, refresh.ask);
    return () => {
      refresh.stop();
      unsubscribe();
    };
  }, [client, organizationId, mode, live, document, text, names, calmMs]);
}

export const notify = (message: string): void => {
  notifications.show({ message, color: 'teal' });
};

export const notifyFailure = (message: string): void => {
  notifications.show({ message, color: 'red' });
};
