import { ApolloServer, type ApolloServerPlugin, HeaderMap } from '@apollo/server';
import {
  ApolloServerPluginCacheControlDisabled,
  ApolloServerPluginInlineTraceDisabled,
  ApolloServerPluginSchemaReportingDisabled,
  ApolloServerPluginUsageReportingDisabled,
} from '@apollo/server/plugin/disabled';
import { GraphQLError } from 'graphql';
import { ServiceError, Unavailable } from '../core/base/errors.ts';
import { toReportedError } from '../transport/errors.ts';
import { printJson } from '../core/base/json/json-text.ts';
import { type Logger, redactText } from '../observability/logger.ts';
import type { ResponseReader } from '../core/base/pacing/response-limiter.ts';
import type { Services } from '../core/create-services.ts';
import { statusOf } from '../transport/error-body.ts';
import type { GraphqlRequest, GraphqlResponse } from '../transport/graphql-endpoint.ts';
import type { GraphqlContext } from './base/context.ts';
import { causeOf, printError } from './errors.ts';
import { assertAffordable } from './limits/cost.ts';
import { limitRules, maximumTokens } from './limits/limits.ts';
import { createWeighing } from './limits/weight.ts';
import { inputError, readOperation } from './base/request-input.ts';
import { buildGraphqlSchema, namesOf } from './schema.ts';
import { createSubscriptions, single, type Subscribed } from './subscriptions.ts';

interface Dependencies {
  services: Services;
  logger: Logger;
  now: () => Date;
}

/** Keeps Apollo from loading its plug-ins for reporting, which it does unless they are disabled. */
const withoutReports = [
  ApolloServerPluginCacheControlDisabled(),
  ApolloServerPluginInlineTraceDisabled(),
  ApolloServerPluginSchemaReportingDisabled(),
  ApolloServerPluginUsageReportingDisabled(),
];

export async function createGraphqlEndpoint({ services, logger, now }: Dependencies) {
  const { responses } = services;
  const print = (error: unknown, context: { traceId: string }, place?: GraphQLError) => {
    const printed = printError(error, context.traceId, now(), {
      ...(place?.locations && { locations: place.locations }),
      ...(place?.path && { path: place.path }),
    });
    if (printed.extensions?.['statusCode'] === 500) {
      logger.error({ traceId: context.traceId, error }, 'request failed');
    }
    if (error instanceof Unavailable) logger.warn({ traceId: context.traceId, error }, 'service unavailable');
    return printed;
  };

  const schema = buildGraphqlSchema();
  const weigh = createWeighing(schema);

  /** Prints what resolvers threw, also for people who follow the requests of the key. */
  function printAll(errors: readonly GraphQLError[], context: GraphqlContext) {
    const printed = errors.map((error) => print(causeOf(error), context, error));
    context.notes.errors = printed;
    const { retryAfterSeconds } =
      errors
        .map((error) => toReportedError(causeOf(error))?.context)
        .find((each) => each?.retryAfterSeconds) ?? {};
    return { printed, retryAfterSeconds };
  }

  const plugin: ApolloServerPlugin<GraphqlContext> = {
    requestDidStart: () =>
      Promise.resolve({
        didResolveOperation({ document, operation, request }) {
          try {
            if (operation)
              assertAffordable(schema, { document, operation, variables: request.variables ?? {} });
          } catch (error) {
            throw new GraphQLError('', {
              originalError: error as Error,
              extensions: { http: { status: 400, headers: new HeaderMap() } },
            });
          }
          return Promise.resolve();
        },
        willSendResponse({ response, errors, document, request, contextValue }) {
          if (errors && response.body.kind === 'single') {
            const wasCoercion = errors.every(
              ({ path, extensions }) => !path && extensions['code'] === 'BAD_USER_INPUT',
            );
            const known =
              wasCoercion && document
                ? inputError(document, request.variables ?? {}, contextValue)
                : undefined;
            const { printed, retryAfterSeconds } = printAll(
              known ? [new GraphQLError('', { originalError: known as Error })] : errors,
              contextValue,
            );
            response.body.singleResult.errors = printed;
            if (retryAfterSeconds) response.http.headers.set('retry-after', String(retryAfterSeconds));
          }
          return Promise.resolve();
        },
      }),
  };

  const subscribe = createSubscriptions({ schema, print, inputError });

  const server = new ApolloServer<GraphqlContext>({
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
    plugins: [...withoutReports, plugin],
  });
  await server.start();

  const contextOf = (
    { caller, traceId, idempotencyKey, notes }: GraphqlRequest,
    reader: ResponseReader,
  ): GraphqlContext => ({
    services,
    reader,
    caller,
    traceId,
    idempotencyKey,
    usedKeys: new Set(),
    notes,
  });

  async function execute(request: GraphqlRequest): Promise<GraphqlResponse> {
    const { query, operationName, variables } = readOperation(request.body);
    return responses.make(request.caller, async (reader) => {
      // `executeHTTPGraphQLRequest` would check and parse again what the route already has.
      const { http, body: result } = await server.executeOperation(
        { query, variables, ...(operationName !== undefined && { operationName }) },
        { contextValue: contextOf(request, reader) },
      );
      if (result.kind !== 'single') throw new Error('incremental delivery is not offered');
      const { errors, data } = result.singleResult;
      const retryAfter = http.headers.get('retry-after');
      const statusCode = http.status ?? 200;
      const errorCode = statusCode === 200 ? undefined : errors?.[0]?.extensions?.['reason'];
      return {
        statusCode,
        body: printJson({ errors, data }),
        ...(retryAfter !== undefined && { retryAfterSeconds: Number(retryAfter) }),
        ...(typeof errorCode === 'string' && { errorCode }),
      };
    });
  }

  function refuse(error: unknown, traceId: string): GraphqlResponse {
    // Apollo's protocol has this step, and its clients expect the error in this form.
    const isOfProtocol = error instanceof ServiceError && error.code === 'persisted_query_not_supported';
    return {
      statusCode: isOfProtocol ? 200 : statusOf(error),
      body: JSON.stringify({ errors: [print(error, { traceId })] }),
    };
  }

  return {
    names: namesOf(schema),
    weigh,
    execute,

    /** Executes any operation and yields its responses one by one. */
    async stream(request: GraphqlRequest): Promise<Subscribed> {
      const operation = readOperation(request.body);
      if (weigh(operation).kind === 'subscription') {
        return responses.make(request.caller, (reader) => subscribe(operation, contextOf(request, reader)));
      }
      const respond = async () => {
        const { body: text } = await execute(request).catch((error: unknown) => {
          const { traceId } = request;
          logger.error({ error, traceId }, 'an operation failed');
          return refuse(error, traceId);
        });
        return text;
      };
      return { results: single(respond) };
    },

    refuse,

    stop: () => server.stop(),
  };
}
