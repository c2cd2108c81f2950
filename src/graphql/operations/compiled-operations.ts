import { type ExecutionResult, getVariableValues, type GraphQLSchema } from 'graphql';
import type { CompiledQuery } from 'graphql-jit';
import type { GraphqlContext } from '../context.ts';
import { isAffordable } from './cost.ts';
import type { OperationRequest } from '../request-input.ts';
import { countSelections, isCompilable, type ValidOperation } from './compilable.ts';
import { createTextCache, type OperationText } from './text-cache.ts';

export interface CompiledOperations {
  /** Notes that a valid operation is requested. One that comes often is compiled, if that makes no difference to its responses. */
  note(text: OperationText, valid: ValidOperation): Promise<void>;
  /**
   * Executes an operation that has been compiled, with the result of graphql-js in a sixth of its time. Undefined if it is to
   * be left to Apollo Server, which says what is wrong with a request; no resolver has run then.
   */
  execute(request: OperationRequest, context: GraphqlContext): Promise<ExecutionResult | undefined>;
}

interface Known extends ValidOperation {
  requests: number;
  compiled: CompiledQuery | undefined;
}

/** Compiling takes as long as a hundred executions. */
const requestsBefore = 10;

/** Measured: the document and the program made of it, for each selection. */
const bytesOfSelection = 1_000;
const maximumBytes = 8 * 1_048_576;

const isScalar = (value: unknown): boolean => typeof value !== 'object' || value === null;

export function createCompiledOperations(schema: GraphQLSchema): CompiledOperations {
  const operations = createTextCache<Known>({
    maximumBytes,
    bytesOf: (valid) => bytesOfSelection * countSelections(valid),
  });

  async function compile(valid: ValidOperation): Promise<CompiledQuery | undefined> {
    if (!isCompilable(valid)) return undefined;
    const { compileQuery, isCompiledQuery } = await import('graphql-jit');
    const { document, operation } = valid;
    const compiled = compileQuery(schema, document, operation.name?.value ?? '', {
      disablingCapturingStackErrors: true,
    });
    return isCompiledQuery(compiled) ? compiled : undefined;
  }

  /** graphql-jit takes a list for an object of its elements. */
  const areCoercible = (
    { operation }: ValidOperation,
    variables: Readonly<Record<string, unknown>>,
  ): boolean =>
    Object.values(variables).every(isScalar) ||
    getVariableValues(schema, operation.variableDefinitions ?? [], variables, { maxErrors: 1 }).coerced !==
      undefined;

  return {
    async note(text, valid) {
      const known = operations.get(text) ?? { ...valid, requests: 0, compiled: undefined };
      if (known.requests === 0) operations.set(text, known);
      known.requests += 1;
      if (known.requests === requestsBefore) known.compiled = await compile(known);
    },

    async execute(request, context) {
      const known = operations.get(request);
      if (!known?.compiled) return undefined;
      const variables = request.variables ?? {};
      if (!areCoercible(known, variables)) return undefined;
      if (!isAffordable(schema, { ...known, variables })) return undefined;
      const result = await known.compiled.query({}, context, variables);
      // Without data, a variable was refused.
      return 'data' in result ? result : undefined;
    },
  };
}
