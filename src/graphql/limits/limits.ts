import {
  type ArgumentNode,
  type ASTVisitFn,
  type ASTVisitor,
  type DocumentNode,
  GraphQLError,
  type IntValueNode,
  Kind,
  type ObjectFieldNode,
  type OperationDefinitionNode,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';
import { badRequest } from '../../core/base/errors.ts';
import { transportError } from '../../transport/errors.ts';
import { inexactNumberMessage, isExact } from '../../core/base/json/exact-json.ts';

export const maximumTokens = 1000;
const maximumDepth = 10;
const maximumAliases = 15;

export const tooExpensive = (message: string) => transportError('query_too_expensive', message);

export const inWords = (count: number): string => count.toLocaleString('en-US');

interface Measured {
  /** Nesting of fields, without introspection, which has a limit of its own. */
  depth: number;
  aliases: number;
}

/** Measures each fragment once; with fragments that double each other it would otherwise take exponential time. */
function measure(context: ValidationContext) {
  const known = new Map<string, Measured>();

  function measureFragment(name: string): Measured {
    const measured = known.get(name);
    if (measured) return measured;
    // Another rule rejects cycles.
    known.set(name, { depth: 0, aliases: 0 });
    const fragment = context.getFragment(name);
    const whole = fragment ? measureSelections(fragment.selectionSet) : { depth: 0, aliases: 0 };
    known.set(name, whole);
    return whole;
  }

  function measureSelections({ selections }: SelectionSetNode): Measured {
    let [depth, aliases] = [0, 0];
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        const within = selection.selectionSet && measureSelections(selection.selectionSet);
        const isIntrospection = selection.name.value.startsWith('__');
        depth = Math.max(depth, 1 + (isIntrospection ? 0 : (within?.depth ?? 0)));
        aliases += (selection.alias ? 1 : 0) + (within?.aliases ?? 0);
      } else {
        const within =
          selection.kind === Kind.INLINE_FRAGMENT
            ? measureSelections(selection.selectionSet)
            : measureFragment(selection.name.value);
        depth = Math.max(depth, within.depth);
        aliases += within.aliases;
      }
    }
    return { depth, aliases };
  }

  return measureSelections;
}

function limitShape(context: ValidationContext): ASTVisitor {
  const measureSelections = measure(context);
  return {
    OperationDefinition(operation) {
      const { depth, aliases } = measureSelections(operation.selectionSet);
      const refuse = (message: string) => {
        const originalError = tooExpensive(message);
        context.reportError(new GraphQLError(message, { nodes: operation, originalError }));
      };
      if (depth > maximumDepth) refuse(`the query is ${depth} levels deep; the limit is ${maximumDepth}`);
      if (aliases > maximumAliases) {
        refuse(`the query has ${aliases} aliases; the limit is ${maximumAliases}`);
      }
    },
  };
}

/** Path of a value as in REST, without the argument that holds the whole input. */
function fieldOf(document: unknown, path: readonly (string | number)[]): string {
  const names: (string | number)[] = [];
  let at = document as Record<string | number, unknown>;
  for (const [index, step] of path.entries()) {
    at = at[step] as Record<string | number, unknown>;
    if (at['kind'] === Kind.ARGUMENT || at['kind'] === Kind.OBJECT_FIELD) {
      names.push((at as unknown as ArgumentNode | ObjectFieldNode).name.value);
    } else if (path[index - 1] === 'values') names.push(step);
  }
  return names.slice(names.length > 1 ? 1 : 0).join('.') || 'a default value';
}

/** Applies to literals the rule that numbers in variables and in REST follow. */
function refuseInexactNumbers(context: ValidationContext): ASTVisitor {
  const look: ASTVisitFn<IntValueNode> = ({ value }, _key, _parent, path) => {
    if (isExact(value)) return;
    const message = `${fieldOf(context.getDocument(), path)} ${inexactNumberMessage(value)}`;
    context.reportError(new GraphQLError(message, { originalError: badRequest(message) }));
  };
  return { IntValue: look };
}

export const limitRules: ValidationRule[] = [limitShape, refuseInexactNumbers];

/**
 * Names of an operation's root fields by response key. Each alias counts, so that aliases do not evade the rate limit. Follows
 * fragments at the root; a cyclic one counts once.
 */
export function rootFields(document: DocumentNode, operation: OperationDefinitionNode): Map<string, string> {
  const fields = new Map<string, string>();
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const seen = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        fields.set((selection.alias ?? selection.name).value, selection.name.value);
      } else if (selection.kind === Kind.INLINE_FRAGMENT) {
        collect(selection.selectionSet);
      } else if (!seen.has(selection.name.value)) {
        seen.add(selection.name.value);
        const fragment = fragments.find(({ name }) => name.value === selection.name.value);
        if (fragment) collect(fragment.selectionSet);
      }
    }
  };
  collect(operation.selectionSet);
  return fields;
}
