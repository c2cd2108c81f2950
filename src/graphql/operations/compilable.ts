import {
  BREAK,
  type DocumentNode,
  Kind,
  type OperationDefinitionNode,
  OperationTypeNode,
  type SelectionSetNode,
  visit,
} from 'graphql';

export interface ValidOperation {
  document: DocumentNode;
  operation: OperationDefinitionNode;
}

/** Of an ordinary page of the dashboard: some two hundred. */
const maximumSelections = 500;

/** Selections of an operation, those of a fragment wherever it is spread. Measures each fragment once. */
export function countSelections({ document, operation }: ValidOperation): number {
  const known = new Map<string, number>();

  function countFragment(name: string): number {
    const counted = known.get(name);
    if (counted !== undefined) return counted;
    const fragment = document.definitions.find(
      (definition) => definition.kind === Kind.FRAGMENT_DEFINITION && definition.name.value === name,
    );
    const count = fragment?.kind === Kind.FRAGMENT_DEFINITION ? countWithin(fragment.selectionSet) : 0;
    known.set(name, count);
    return count;
  }

  function countWithin({ selections }: SelectionSetNode): number {
    let count = selections.length;
    for (const selection of selections) {
      if (selection.kind === Kind.FRAGMENT_SPREAD) count += countFragment(selection.name.value);
      else if (selection.selectionSet) count += countWithin(selection.selectionSet);
    }
    return count;
  }

  return countWithin(operation.selectionSet);
}

/** `toString` and `__proto__`, which objects have by themselves, and introspection, whose response may be of any size. */
const isSpecial = (name: string): boolean => name in {} || name === '__schema' || name === '__type';

/** Whether it has only what graphql-jit executes as graphql-js does. */
function isPlain(document: DocumentNode): boolean {
  let isPlainSoFar = true;
  const refuse = () => {
    isPlainSoFar = false;
    return BREAK;
  };
  visit(document, {
    // It keeps with the fields, which fragments share, whether they are included.
    Directive: refuse,
    Name: ({ value }) => (isSpecial(value) ? refuse() : undefined),
    // A value would become part of a program, unlike names, which are letters, digits and underscores.
    Argument: ({ value }) => (value.kind === Kind.VARIABLE ? undefined : refuse()),
    VariableDefinition: ({ defaultValue }) => (defaultValue ? refuse() : undefined),
  });
  return isPlainSoFar;
}

/**
 * Whether graphql-jit executes an operation as graphql-js does. Not with several fields at the root: mutations go on after a
 * refused one, or never end, and a response without data has other errors.
 */
export function isCompilable(valid: ValidOperation): boolean {
  const { operation, selectionSet } = valid.operation;
  if (operation === OperationTypeNode.SUBSCRIPTION) return false;
  const [root, ...others] = selectionSet.selections;
  if (root?.kind !== Kind.FIELD || others.length > 0) return false;
  return countSelections(valid) <= maximumSelections && isPlain(valid.document);
}
