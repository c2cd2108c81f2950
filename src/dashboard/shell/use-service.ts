import { notifications } from '@mantine/notifications';
import {
  keepPreviousData,
  useInfiniteQuery,
  useMutation,
  useQuery,
  useQueryClient,
} from '@tanstack/react-query';
import type { TadaDocumentNode } from 'gql.tada';
import { useThrottledCallback } from '@mantine/hooks';
import { useEffect } from 'react';
import { ask } from '../api/ask.ts';
import { Refusal } from '../api/refusal.ts';
import { useSession } from './session.tsx';
import { useWorkplace } from './workplace.tsx';

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
      if (error instanceof Refusal && error.isSignedOut) void refresh();
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
    keepPrevious?: boolean;
    /** How long what was read is good; for ever when false. */
    refetchIntervalMs?: number | ((read: Result | undefined) => number | false);
  } = {},
) {
  const { organizationId, mode } = useWorkplace();
  const asked = useAsk();
  const { refetchIntervalMs = false } = options;
  return useQuery<Result>({
    queryKey: [organizationId, mode, nameOf(document), variables],
    queryFn: () => asked(document, variables),
    enabled: options.enabled ?? true,
    ...(options.keepPrevious && { placeholderData: keepPreviousData }),
    refetchInterval: ({ state }) =>
      typeof refetchIntervalMs === 'function' ? refetchIntervalMs(state.data) : refetchIntervalMs,
  });
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
  return { ...result, nodes: result.data && nodesOf(result.data.pages) };
}

/** Changes something; then all that is shown is read again. */
export function useServiceMutation<Result, Variables extends object>(document: Document<Result, Variables>) {
  const client = useQueryClient();
  const asked = useAsk();
  const { organizationId, mode } = useWorkplace();
  return useMutation({
    mutationFn: (variables: Variables) => asked(document, variables),
    onSuccess: () => client.invalidateQueries({ queryKey: [organizationId, mode] }),
  });
}

interface LiveRefreshOptions {
  /** These queries; all that are shown when left out. */
  of?: readonly object[];
  /** At once, then at most once in this time. */
  calmMs?: number;
}

/** Reads what is shown again when a subscription tells of a change. */
export function useLiveRefresh<Result, Variables extends Record<string, unknown>>(
  document: Document<Result, Variables>,
  variables: Variables,
  { of, calmMs = 500 }: LiveRefreshOptions = {},
): void {
  const client = useQueryClient();
  const { organizationId, mode, live } = useWorkplace();
  const refresh = useThrottledCallback(
    () =>
      void client.invalidateQueries({
        queryKey: [organizationId, mode],
        predicate: ({ queryKey }) => !of || of.some((each) => nameOf(each) === queryKey[2]),
      }),
    calmMs,
  );
  const text = JSON.stringify(variables);
  useEffect(
    () => live.subscribe(document, JSON.parse(text) as Variables, refresh),
    [live, document, text, refresh],
  );
}

export const notify = (message: string): void => {
  notifications.show({ message, color: 'teal' });
};
