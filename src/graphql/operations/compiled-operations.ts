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
import type { GraphqlContext } from '../context.ts';
import { isAffordable } from './cost.ts';
import type { OperationRequest } from '../request-input.ts';
import { createTextCache, type OperationText } from './text-cache.ts';

interface ValidOperation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

export interface CompiledOperations {
  /** Notes that an operation is executed, which is valid. One that comes often is compiled. */
  note(text: OperationText, valid: ValidOperation): Promise<void>;
  /**
   * Executes an operation that has been compiled, with the result of graphql-js in a sixth of its time. Undefined if it is to
   * be left to Apollo Server, which says what is wrong with a request; no resolver has run then.
   */
  execute(request: OperationRequest, context: GraphqlContext): Promise<ExecutionResult | undefined>;
}

interface Known extends ValidOperation {
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
  const operations = createTextCache<Known>(maximumKnown);

  async function compile({
    document,
    operation: { operation, name },
  }: ValidOperation): Promise<CompiledQuery | undefined> {
    if (operation === OperationTypeNode.SUBSCRIPTION || hasValues(document)) return undefined;
    const { compileQuery, isCompiledQuery } = await import('graphql-jit');
    const compiled = compileQuery(schema, document, name?.value ?? '', {
      disablingCapturingStackErrors: true,
    });
    return isCompiledQuery(compiled) ? compiled : undefined;
  }

  return {
    async note(text, valid) {
      const known = operations.get(text) ?? { ...valid, executions: 0, compiled: undefined };
      if (known.executions === 0) operations.set(text, known);
      known.executions += 1;
      if (known.executions === executionsBefore) known.compiled = await compile(known);
    },

    async execute(request, context) {
      const known = operations.get(request);
      if (!known?.compiled) return undefined;
      const variables = request.variables ?? {};
      if (!isAffordable(schema, { ...known, variables })) return undefined;
      const result = await known.compiled.query({}, context, variables);
      // Without data, a variable was refused.
      return 'data' in result ? result : undefined;
    },
  };
}
