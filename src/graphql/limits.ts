import { costLimitRule } from '@escape.tech/graphql-armor-cost-limit';
import { maxAliasesRule } from '@escape.tech/graphql-armor-max-aliases';
import { maxDepthRule } from '@escape.tech/graphql-armor-max-depth';
import {
  type DocumentNode,
  type GraphQLError,
  Kind,
  type SelectionSetNode,
  type ValidationContext,
  type ValidationRule,
} from 'graphql';

export const maximumTokens = 1000;

/** Left to throw, the rules would end in a 500: a thrown validation counts as a bug. */
const asViolation = {
  propagateOnRejection: false,
  onReject: [
    (context: ValidationContext | null, error: GraphQLError) => {
      context?.reportError(error);
    },
  ],
};

export const limitRules: ValidationRule[] = [
  maxDepthRule({ n: 10, ignoreIntrospection: true, ...asViolation }),
  maxAliasesRule({ n: 15, ...asViolation }),
  // The largest page with every field is about 7,000.
  costLimitRule({ maxCost: 10_000, ...asViolation }),
];

/**
 * The root fields that an operation asks for, aliases included, so that aliases buy nothing. Fragments at
 * the root are followed; one that leads back to itself is counted once.
 */
export function rootFieldCount(document: DocumentNode, operationName: string | undefined): number {
  const operations = document.definitions.filter(
    (definition) => definition.kind === Kind.OPERATION_DEFINITION,
  );
  const operation =
    operations.find(({ name }) => operationName !== undefined && name?.value === operationName) ??
    operations[0];
  if (!operation) return 1;
  const fragments = document.definitions.filter((definition) => definition.kind === Kind.FRAGMENT_DEFINITION);
  const seen = new Set<string>();
  const responseKeys = new Set<string>();
  const collect = ({ selections }: SelectionSetNode): void => {
    for (const selection of selections) {
      if (selection.kind === Kind.FIELD) {
        responseKeys.add((selection.alias ?? selection.name).value);
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
  return Math.max(1, responseKeys.size);
}
