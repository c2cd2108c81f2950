import {
  type DocumentNode,
  type FieldNode,
  type FragmentDefinitionNode,
  getNamedType,
  getNullableType,
  type GraphQLField,
  type GraphQLObjectType,
  type GraphQLSchema,
  isListType,
  isObjectType,
  Kind,
  type OperationDefinitionNode,
  type SelectionSetNode,
} from 'graphql';
import { inWords, tooExpensive } from './limits.ts';

const maximumCost = 10_000;
/** Largest page size; a larger one is rejected when the page is read. */
const maximumPage = 100;
/** Assumed length of a list without a size argument. */
const usualLength = 10;
/** Allows three per operation, because introspection has the longest response that needs no data. */
const introspectionCost = 3_000;
const sizeArguments = ['first', 'last', 'limit'];

export interface Operation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
  variables: Readonly<Record<string, unknown>>;
}

const setsOf = (nodes: readonly FieldNode[]): SelectionSetNode[] =>
  nodes.flatMap(({ selectionSet }) => selectionSet ?? []);

/** Costs of operations that do not depend on variables. */
const knownCosts = new WeakMap<OperationDefinitionNode, number>();

/**
 * Maximum number of fields in the response: one per requested field, multiplied in lists by the length that
 * arguments, variables and defaults allow. The document must be valid.
 */
function costOf(schema: GraphQLSchema, { document, operation, variables }: Operation): number {
  const known = knownCosts.get(operation);
  if (known !== undefined) return known;
  const fragments = new Map<string, FragmentDefinitionNode>();
  for (const definition of document.definitions) {
    if (definition.kind === Kind.FRAGMENT_DEFINITION) fragments.set(definition.name.value, definition);
  }

  let dependsOnVariables = false;

  function valueOf(name: string): unknown {
    dependsOnVariables = true;
    if (variables[name] !== undefined) return variables[name];
    const declared = operation.variableDefinitions?.find(({ variable }) => variable.name.value === name);
    return declared?.defaultValue?.kind === Kind.INT ? Number(declared.defaultValue.value) : undefined;
  }

  /** Undefined when the field has no such argument. */
  function sizeOf(node: FieldNode, field: GraphQLField<unknown, unknown>): number | undefined {
    const declared = field.args.find(({ name }) => sizeArguments.includes(name));
    if (!declared) return undefined;
    const given = node.arguments?.find(({ name }) => name.value === declared.name)?.value;
    const literal = given?.kind === Kind.INT ? Number(given.value) : undefined;
    const value = given?.kind === Kind.VARIABLE ? valueOf(given.name.value) : literal;
    const size = value ?? declared.defaultValue;
    return typeof size === 'number' && size >= 0 ? Math.min(size, maximumPage) : maximumPage;
  }

  /** Merges fields with the same response name, as execution does. */
  function collect(sets: readonly SelectionSetNode[]): Map<string, FieldNode[]> {
    const fields = new Map<string, FieldNode[]>();
    const seen = new Set<string>();
    const add = ({ selections }: SelectionSetNode): void => {
      for (const selection of selections) {
        if (selection.kind === Kind.FIELD) {
          const key = (selection.alias ?? selection.name).value;
          fields.set(key, [...(fields.get(key) ?? []), selection]);
        } else if (selection.kind === Kind.INLINE_FRAGMENT) {
          add(selection.selectionSet);
        } else if (!seen.has(selection.name.value)) {
          seen.add(selection.name.value);
          const fragment = fragments.get(selection.name.value);
          if (fragment) add(fragment.selectionSet);
        }
      }
    };
    sets.forEach(add);
    return fields;
  }

  function costWithin(type: GraphQLObjectType, sets: readonly SelectionSetNode[], size?: number): number {
    let cost = 0;
    for (const nodes of collect(sets).values()) cost += costOfField(type, nodes, size);
    return cost;
  }

  /** How often introspection is requested; each alias repeats everything below it. */
  function copiesOf(sets: readonly SelectionSetNode[]): number {
    const copies = new Map<string | undefined, number>();
    for (const nodes of collect(sets).values()) {
      const name = nodes[0]?.name.value;
      copies.set(name, (copies.get(name) ?? 0) + copiesOf(setsOf(nodes)));
    }
    return Math.max(1, ...copies.values());
  }

  /** `inherited` is the length of a connection's lists. */
  function costOfField(type: GraphQLObjectType, nodes: readonly FieldNode[], inherited?: number): number {
    const [node] = nodes;
    const field = node && type.getFields()[node.name.value];
    const sets = setsOf(nodes);
    if (!field) return node?.selectionSet ? introspectionCost * copiesOf(sets) : 1;
    const named = getNamedType(field.type);
    if (!isObjectType(named)) return 1;
    const size = sizeOf(node, field);
    if (!isListType(getNullableType(field.type))) return 1 + costWithin(named, sets, size);
    return 1 + (size ?? inherited ?? usualLength) * costWithin(named, sets);
  }

  const root = schema.getRootType(operation.operation);
  const cost = root ? costWithin(root, [operation.selectionSet]) : 0;
  if (!dependsOnVariables) knownCosts.set(operation, cost);
  return cost;
}

/** Fails with a 400 that names the limit. */
export function assertAffordable(schema: GraphQLSchema, operation: Operation): void {
  const cost = costOf(schema, operation);
  if (cost <= maximumCost) return;
  throw tooExpensive(`the query's cost is ${inWords(cost)}; the limit is ${inWords(maximumCost)}`);
}
