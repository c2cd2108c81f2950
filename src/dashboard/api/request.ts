import { print } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import { type ErrorBody, errorBodyOf, ServiceError } from './service-error.ts';

/** The organization and mode that every operation but `me` is bound to. */
export interface Workplace {
  organizationId: string;
  mode: 'test' | 'live';
}

export const workplaceHeaders = ({ organizationId, mode }: Workplace) => ({
  'X-Organization-Id': organizationId,
  'X-Mode': mode,
});

interface GraphqlBody<Result> {
  data?: Result | null;
  errors?: { message: string; extensions?: ErrorBody }[];
}

const timeoutMs = 60_000;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface JsonResponse<Body> {
  response: Response;
  body: Body;
}

/** Throws a ServiceError when the service cannot be reached or does not return JSON. */
async function fetchJson<Body>(path: string, request: RequestInit): Promise<JsonResponse<Body>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, { ...request, signal: AbortSignal.timeout(timeoutMs) });
    text = await response.text();
  } catch (cause) {
    throw new ServiceError({ message: 'offline', code: 'OFFLINE' }, { cause });
  }
  const body = parsed(text) as Body | undefined;
  if (body === undefined)
    throw new ServiceError({ ...errorBodyOf(undefined, response), message: response.statusText });
  return { response, body };
}

const reachableWithinMs = 5_000;

/** Asks whether the service answers at all, without touching its database. */
export const isServiceReachable = (): Promise<boolean> =>
  fetch('/healthz', { cache: 'no-store', signal: AbortSignal.timeout(reachableWithinMs) }).then(
    ({ ok }) => ok,
    () => false,
  );

/** Throws a ServiceError when there is no JSON response; HTTP errors are left to the caller. */
export const get = <Body>(path: string): Promise<JsonResponse<Body>> => fetchJson(path, {});

/** Throws a ServiceError when there is no JSON response; HTTP errors are left to the caller. */
export const post = <Body>(
  path: string,
  input: object,
  headers: Record<string, string> = {},
): Promise<JsonResponse<Body>> =>
  fetchJson(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(input),
  });

/** Executes a GraphQL operation and returns its data. Throws a ServiceError on any failure. */
export async function request<Result, Variables extends object>(
  document: TadaDocumentNode<Result, Variables>,
  variables: Variables,
  workplace?: Workplace,
): Promise<Result> {
  const operation = { query: print(document as never), variables };
  const headers = workplace && workplaceHeaders(workplace);
  const { response, body } = await post<GraphqlBody<Result>>('/graphql', operation, headers);
  const [error] = body.errors ?? [];
  if (error) throw new ServiceError({ ...errorBodyOf(error.extensions, response), message: error.message });
  if (!response.ok || !body.data) throw new ServiceError(errorBodyOf(body, response));
  return body.data;
}
