import { print } from '@0no-co/graphql.web';
import type { TadaDocumentNode } from 'gql.tada';
import { type Failure, failureOf, Refusal } from './service-error.ts';

/** Where a person works: what every request but `me` names. */
export interface Workplace {
  organizationId: string;
  mode: 'test' | 'live';
}

export const workplaceHeaders = ({ organizationId, mode }: Workplace) => ({
  'X-Organization-Id': organizationId,
  'X-Mode': mode,
});

interface Answer<Result> {
  data?: Result | null;
  errors?: { message: string; extensions?: Failure }[];
}

const patienceMs = 60_000;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

interface Answered<Result> {
  response: Response;
  answer: Result;
}

async function answered<Result>(path: string, request: RequestInit): Promise<Answered<Result>> {
  let response: Response;
  let text: string;
  try {
    response = await fetch(path, { ...request, signal: AbortSignal.timeout(patienceMs) });
    text = await response.text();
  } catch (cause) {
    throw new Refusal({ message: 'offline', code: 'OFFLINE' }, { cause });
  }
  const answer = parsed(text) as Result | undefined;
  if (answer === undefined)
    throw new Refusal({ ...failureOf(undefined, response), message: response.statusText });
  return { response, answer };
}

/** Asks this service for JSON. Throws a Refusal, also when nobody answers. */
export const get = <Result>(path: string): Promise<Answered<Result>> => answered(path, {});

/** Sends JSON to this service. Throws a Refusal, also when nobody answers. */
export const post = <Result>(
  path: string,
  body: object,
  headers: Record<string, string> = {},
): Promise<Answered<Result>> =>
  answered(path, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  });

/** What the service answers to an operation. Throws a Refusal. */
export async function ask<Result, Variables extends object>(
  document: TadaDocumentNode<Result, Variables>,
  variables: Variables,
  workplace?: Workplace,
): Promise<Result> {
  const body = { query: print(document as never), variables };
  const headers = workplace && workplaceHeaders(workplace);
  const { response, answer } = await post<Answer<Result>>('/graphql', body, headers);
  const [error] = answer.errors ?? [];
  if (error) throw new Refusal({ ...failureOf(error.extensions, response), message: error.message });
  if (!response.ok || !answer.data) throw new Refusal(failureOf(answer, response));
  return answer.data;
}
