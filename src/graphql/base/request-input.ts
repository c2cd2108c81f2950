import { type DocumentNode, Kind } from 'graphql';
import { badRequest } from '../../core/base/errors.ts';
import { transportError } from '../../transport/errors.ts';
import { inexactNumberMessage } from '../../core/base/json/exact-json.ts';
import { isJsonObject, type JsonObject } from '../../core/base/json/json-object.ts';
import { parseJointSettlement, parseSettlement } from '../../core/books/differences.ts';
import { parseCreateLink } from '../../core/checkout/payment-link-view.ts';
import { parseCreatePayment } from '../../core/payments/rules/create-payment-input.ts';
import type { GraphqlContext } from './context.ts';

export interface OperationRequest {
  query: string;
  operationName: string | undefined;
  variables: JsonObject;
}

/** An empty name counts as none, wherever the operation is looked up. */
export const operationNameOf = (sent: unknown): string | undefined =>
  typeof sent === 'string' && sent !== '' ? sent : undefined;

/** Applies our rules and messages to input that graphql-js rejects before a resolver sees it. */
const inputParsers: Record<string, (context: GraphqlContext, input: unknown) => unknown> = {
  CreatePaymentInput: ({ caller }, input) => parseCreatePayment(caller.mode, input),
  CreatePaymentLinkInput: ({ caller }, input) => parseCreateLink(caller.mode, input),
  SettleDifferenceInput: (_context, input) => parseSettlement(input),
  SettleDifferencesInput: (_context, input) => parseJointSettlement(input),
};

/** Our error for variables that graphql-js rejects; undefined if its own message has to do. */
export function inputError(
  document: DocumentNode,
  variables: Record<string, unknown>,
  context: GraphqlContext,
): unknown {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { variable, type } of definition.variableDefinitions ?? []) {
      const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
      const parseInput = named.kind === Kind.NAMED_TYPE ? inputParsers[named.name.value] : undefined;
      const value = variables[variable.name.value] ?? undefined;
      if (value === undefined) continue;
      try {
        parseInput?.(context, value);
      } catch (error) {
        return error;
      }
    }
  }
  return inexactVariable(variables);
}

interface Place {
  name: string;
  value: unknown;
  within: Place | undefined;
}

function pathOf(place: Place): string {
  const names: string[] = [];
  for (let at: Place | undefined = place; at; at = at.within) names.push(at.name);
  return names.reverse().join('.');
}

/** Iterative, because variables may be nested deeper than the stack. */
function inexactVariable(variables: Record<string, unknown>): unknown {
  const placesIn = (value: object, within?: Place): Place[] =>
    Object.entries(value).map(([name, member]) => ({ name, value: member as unknown, within }));
  const places = placesIn(variables).reverse();
  for (let place = places.pop(); place; place = places.pop()) {
    const { value } = place;
    if (typeof value === 'symbol') return badRequest(`${pathOf(place)} ${inexactNumberMessage(value)}`);
    if (typeof value === 'object' && value !== null) places.push(...placesIn(value, place).reverse());
  }
  return undefined;
}

/** Fails with our own error, because Apollo would respond in its own format. */
export function readOperation(body: unknown): OperationRequest {
  if (!isJsonObject(body)) throw badRequest('body must be a JSON object');
  const { query, operationName = null, variables = null, extensions = null } = body;
  if (query === undefined && isJsonObject(extensions) && isJsonObject(extensions['persistedQuery'])) {
    throw transportError('persisted_query_not_supported', 'PersistedQueryNotSupported');
  }
  if (typeof query !== 'string') throw badRequest('query must be a string');
  if (operationName !== null && typeof operationName !== 'string') {
    throw badRequest('operationName must be a string');
  }
  if (variables !== null && !isJsonObject(variables)) throw badRequest('variables must be a JSON object');
  if (extensions !== null && !isJsonObject(extensions)) throw badRequest('extensions must be a JSON object');
  return { query, operationName: operationNameOf(operationName), variables: variables ?? {} };
}
