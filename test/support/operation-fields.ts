import {
  type GraphQLArgument,
  type GraphQLField,
  type GraphQLInputField,
  type GraphQLInputType,
  getNamedType,
  isCompositeType,
  isEnumType,
  isInputObjectType,
  isListType,
  isNonNullType,
} from 'graphql';

type Field = GraphQLField<unknown, unknown>;

/** A place in the arguments of a field where a caller writes a value: `after`, `filter.status`. */
export interface Leaf {
  path: readonly string[];
  /** The name of its type without `!`. */
  type: string;
  isRequired: boolean;
  isList: boolean;
  /** The values of an enum or a boolean. */
  values: readonly unknown[];
}

function leafOf(path: readonly string[], type: GraphQLInputType): Leaf {
  const named = getNamedType(type);
  const values = isEnumType(named) ? named.getValues().map(({ name }) => name) : [];
  return {
    path,
    type: named.name,
    isRequired: isNonNullType(type),
    isList: isListType(isNonNullType(type) ? type.ofType : type),
    values: named.name === 'Boolean' ? [true, false] : values,
  };
}

const leavesIn = (
  argumentsOrFields: readonly (GraphQLArgument | GraphQLInputField)[],
  path: readonly string[] = [],
): Leaf[] =>
  argumentsOrFields.flatMap(({ name, type }) => {
    const named = getNamedType(type);
    return isInputObjectType(named) && path.length < 2
      ? leavesIn(Object.values(named.getFields()), [...path, name])
      : [leafOf([...path, name], type)];
  });

export const leavesOf = ({ args }: Field): Leaf[] => leavesIn(args);

const usual: Record<string, unknown> = {
  Boolean: false,
  DateTime: '2026-11-01T00:00:00Z',
  Float: 1,
  ID: '00000000-0000-7000-8000-000000000000',
  Int: 1,
  JSONObject: {},
  String: '2026-11-01',
};

/** What a required place may have where another one is tried. */
const usualOf = ({ type, isList, values }: Leaf): unknown => {
  const value = values[0] ?? usual[type] ?? {};
  return isList ? [value] : value;
};

/** The arguments of a call: what is required, and the given values at their places. */
export function argumentsWith(field: Field, given: ReadonlyMap<Leaf, unknown>): Record<string, unknown> {
  const all: Record<string, unknown> = {};
  const leaves = [...given.keys()];
  for (const leaf of leavesOf(field)) {
    const same = leaves.find(({ path }) => path.join() === leaf.path.join());
    const outer = field.args.find(({ name }) => name === leaf.path[0]);
    const isNeeded = leaf.isRequired && (leaf.path.length === 1 || (outer && isNonNullType(outer.type)));
    if (!same && !isNeeded) continue;
    let at = all;
    for (const name of leaf.path.slice(0, -1)) at = (at[name] ??= {}) as Record<string, unknown>;
    at[leaf.path.at(-1) ?? ''] = same ? given.get(same) : usualOf(leaf);
  }
  return all;
}

export interface Call {
  field: Field;
  args: Record<string, unknown>;
}

/** One document for several calls of fields, whose aliases are `c0`, `c1` and so on. */
export function documentOf(kind: 'query' | 'mutation', calls: readonly Call[], selection?: string) {
  const variables: Record<string, unknown> = {};
  const declared: string[] = [];
  const fields = calls.map(({ field, args }, at) => {
    const passed = Object.entries(args).map(([name, value]) => {
      const variable = `v${at}_${name}`;
      const type = field.args.find((each) => each.name === name)?.type;
      variables[variable] = value;
      declared.push(`$${variable}: ${String(type)}`);
      return `${name}: $${variable}`;
    });
    const selected = isCompositeType(getNamedType(field.type)) ? `{ ${selection ?? '__typename'} }` : '';
    return `c${at}: ${field.name}${passed.length > 0 ? `(${passed.join(', ')})` : ''} ${selected}`;
  });
  const head = declared.length > 0 ? `(${declared.join(', ')})` : '';
  return { text: `${kind} ${head} { ${fields.join('\n')} }`, variables };
}

export const isConnection = ({ type }: Field): boolean => getNamedType(type).name.endsWith('Connection');
