import {
  BREAK,
  type DocumentNode,
  type ExecutionResult,
  type GraphQLSchema,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  visit,
} from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import { LRUCache } from 'lru-cache';
import type { GraphqlContext } from './context.ts';

export interface CompiledOperations {
  /**
   * Executes an operation that has come often, with the result of graphql-js in a sixth of its time. Undefined if it is to be
   * left to graphql-js; no resolver has run then.
   */
  execute(
    source: { document: DocumentNode; operation: OperationDefinitionNode | undefined },
    context: GraphqlContext,
    variables: Record<string, unknown>,
  ): Promise<ExecutionResult | undefined>;
}

interface Operation {
  executions: number;
  compiled: CompiledQuery | undefined;
}

/** Compiling takes as long as a hundred executions. */
const executionsBefore = 10;

/** Clients have few. Each keeps some tens of kilobytes. */
const maximumKnown = 200;

/** They would become part of a program, unlike names, which are letters, digits and underscores. */
function hasValues(document: DocumentNode): boolean {
  let found = false;
  const find = () => {
    found = true;
    return BREAK;
  };
  visit(document, {
    Argument: ({ value }) => (value.kind === Kind.VARIABLE ? undefined : find()),
    VariableDefinition: ({ defaultValue }) => (defaultValue ? find() : undefined),
  });
  return found;
}

export function createCompiledOperations(schema: GraphQLSchema): CompiledOperations {
  const known = new LRUCache<OperationDefinitionNode, Operation>({
    max: maximumKnown,
    memoMethod: () => ({ executions: 0, compiled: undefined }),
  });

  async function compile(
    document: DocumentNode,
    { operation, name }: OperationDefinitionNode,
  ): Promise<CompiledQuery | undefined> {
    if (operation === OperationTypeNode.SUBSCRIPTION || hasValues(document)) return undefined;
    const { compileQuery, isCompiledQuery } = await import('graphql-jit');
    const compiled = compileQuery(schema, document, name?.value ?? '', {
      disablingCapturingStackErrors: true,
    });
    return isCompiledQuery(compiled) ? compiled : undefined;
  }

  return {
    async execute({ document, operation }, context, variables) {
      if (!operation) return undefined;
      const each = known.memo(operation);
      each.executions += 1;
      if (each.executions === executionsBefore) each.compiled = await compile(document, operation);
      const result = await each.compiled?.query({}, context, variables);
      // Without data, a variable was refused: graphql-js says why.
      return result && 'data' in result ? result : undefined;
    },
  };
}
