import { ApolloServer, type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import { ApolloServerPluginCacheControlDisabled } from '@apollo/server/plugin/disabled';
import { type DocumentNode, getOperationAST, type GraphQLError, Kind, parse } from 'graphql';
import { LRUCache } from 'lru-cache';
import { badRequest } from '../domain/errors.ts';
import { isJsonObject } from '../domain/metadata.ts';
import type { JsonObject } from '../domain/payment.ts';
import { type Logger, redactText } from '../observability/logger.ts';
import type { Caller } from '../services/caller.ts';
import { parseCreatePayment } from '../services/create-payment-input.ts';
import { errorBody } from '../services/error-body.ts';
import type { GraphqlContext, GraphqlServices } from './context.ts';
import { causeOf, printError } from './errors.ts';
import { limitRules, maximumTokens, rootFieldCount } from './limits.ts';
import { buildGraphqlSchema } from './schema.ts';
import { createSubscriptions, single, type Subscribed, type SubscriptionRequest } from './subscriptions.ts';

interface Dependencies {
  services: GraphqlServices;
  logger: Logger;
  now: () => Date;
}

interface Request {
  body: unknown;
  caller: Caller;
  traceId: string;
  idempotencyKey: string | undefined;
}

interface Answer {
  statusCode: number;
  body: string;
}

interface Weight {
  /** How many requests it counts as. */
  cost: number;
  isSubscription: boolean;
}

/** A bug of ours or of Apollo, which it would tell in a shape of its own. */
type Context = GraphqlContext & { bug?: Error };

const jsonHeaders = new HeaderMap([['content-type', 'application/json']]);

/** The same rules, and so the same words, for input that graphql-js refuses before a resolver sees it. */
const inputParsers: Record<string, (context: GraphqlContext, input: unknown) => unknown> = {
  CreatePaymentInput: ({ caller }, input) => parseCreatePayment(caller.mode, input),
};

function inputError(
  document: DocumentNode,
  variables: Record<string, unknown>,
  context: GraphqlContext,
): unknown {
  for (const definition of document.definitions) {
    if (definition.kind !== Kind.OPERATION_DEFINITION) continue;
    for (const { variable, type } of definition.variableDefinitions ?? []) {
      const named = type.kind === Kind.NON_NULL_TYPE ? type.type : type;
      const parseInput = named.kind === Kind.NAMED_TYPE ? inputParsers[named.name.value] : undefined;
      try {
        parseInput?.(context, variables[variable.name.value]);
      } catch (error) {
        return error;
      }
    }
  }
  return undefined;
}

/** In our words; Apollo would answer in a shape of its own. */
function assertReadable(body: unknown): asserts body is SubscriptionRequest & JsonObject {
  if (!isJsonObject(body)) throw badRequest('body must be a JSON object');
  const { query, operationName = null, variables = null, extensions = null } = body;
  if (typeof query !== 'string') throw badRequest('query must be a string');
  if (operationName !== null && typeof operationName !== 'string') {
    throw badRequest('operationName must be a string');
  }
  if (variables !== null && !isJsonObject(variables)) throw badRequest('variables must be a JSON object');
  if (extensions !== null && !isJsonObject(extensions)) throw badRequest('extensions must be a JSON object');
}

export async function createGraphqlEndpoint({ services, logger, now }: Dependencies) {
  const print = (error: unknown, context: { traceId: string }, place?: GraphQLError) => {
    const printed = printError(error, context.traceId, now(), {
      ...(place?.locations && { locations: place.locations }),
      ...(place?.path && { path: place.path }),
    });
    if (printed.extensions?.['statusCode'] === 500) {
      logger.error({ traceId: context.traceId, error }, 'request failed');
    }
    return printed;
  };

  const printErrors: ApolloServerPlugin<Context> = {
    unexpectedErrorProcessingRequest: ({ requestContext, error }) => {
      requestContext.contextValue.bug = error;
      return Promise.resolve();
    },
    requestDidStart: () =>
      Promise.resolve({
        willSendResponse({ response, errors, document, request, contextValue }) {
          if (errors && response.body.kind === 'single') {
            const wasCoercion = errors.every(
              ({ path, extensions }) => !path && extensions['code'] === 'BAD_USER_INPUT',
            );
            const known =
              wasCoercion && document
                ? inputError(document, request.variables ?? {}, contextValue)
                : undefined;
            response.body.singleResult.errors = known
              ? [print(known, contextValue)]
              : errors.map((error) => print(causeOf(error), contextValue, error));
          }
          return Promise.resolve();
        },
      }),
  };

  const schema = buildGraphqlSchema();
  const subscribe = createSubscriptions({ schema, print, inputError });

  const server = new ApolloServer<Context>({
    schema,
    validationRules: limitRules,
    parseOptions: { maxTokens: maximumTokens },
    introspection: true,
    persistedQueries: false,
    includeStacktraceInErrorResponses: false,
    stopOnTerminationSignals: false,
    logger: {
      debug: () => undefined,
      info: () => undefined,
      warn: (message) => {
        logger.warn(redactText(String(message)));
      },
      error: (message) => {
        logger.error(redactText(String(message)));
      },
    },
    plugins: [ApolloServerPluginCacheControlDisabled(), printErrors],
  });
  await server.start();

  /** By document and name of the operation. Documents of clients are few and short, those of an attacker are not. */
  const weights = new LRUCache<string, Weight>({
    maxSize: 1_048_576,
    maxEntrySize: 16_384,
    sizeCalculation: (_weight, key) => key.length,
  });

  function weightOf(query: string, operationName: string | undefined): Weight {
    try {
      const document = parse(query, { maxTokens: maximumTokens, noLocation: true });
      return {
        cost: rootFieldCount(document, operationName),
        isSubscription: getOperationAST(document, operationName)?.operation === 'subscription',
      };
    } catch {
      // It will be refused, and counts as one.
      return { cost: 1, isSubscription: false };
    }
  }

  function weigh(body: unknown): Weight {
    if (!isJsonObject(body) || typeof body['query'] !== 'string') return { cost: 1, isSubscription: false };
    const { query } = body;
    const operationName = typeof body['operationName'] === 'string' ? body['operationName'] : undefined;
    const key = `${operationName ?? ''}\0${query}`;
    const known = weights.get(key);
    if (known) return known;
    const weight = weightOf(query, operationName);
    weights.set(key, weight);
    return weight;
  }

  const contextOf = ({ caller, traceId, idempotencyKey }: Request): Context => ({
    ...services,
    caller,
    traceId,
    idempotencyKey,
  });

  async function execute(request: Request): Promise<Answer> {
    const { body } = request;
    assertReadable(body);
    const context = contextOf(request);
    const answer = await server.executeHTTPGraphQLRequest({
      httpGraphQLRequest: { method: 'POST', headers: jsonHeaders, search: '', body },
      context: () => Promise.resolve(context),
    });
    if (context.bug) throw context.bug;
    if (answer.body.kind !== 'complete') throw new Error('incremental delivery is not offered');
    return { statusCode: answer.status ?? 200, body: answer.body.string };
  }

  function refuse(error: unknown, traceId: string): Answer {
    const { statusCode } = errorBody(error, traceId, now());
    return { statusCode, body: JSON.stringify({ errors: [print(error, { traceId })] }) };
  }

  return {
    weigh,
    execute,

    /** Any operation, its answers one by one. */
    async stream(request: Request): Promise<Subscribed> {
      const { body } = request;
      assertReadable(body);
      if (weigh(body).isSubscription) return subscribe(body, contextOf(request));
      const answer = async () => {
        const { body: text } = await execute(request).catch((error: unknown) => {
          const { traceId } = request;
          logger.error({ error, traceId }, 'an operation failed');
          return refuse(error, traceId);
        });
        return JSON.parse(text) as JsonObject;
      };
      return { results: single(answer) };
    },

    refuse,

    stop: () => server.stop(),
  };
}
