import { describe, expect, test } from '@jest/globals';
import { getOperationAST, parse } from 'graphql';
import { countSelections, isCompilable } from '../../src/graphql/operations/compilable.ts';
import { buildGraphqlSchema } from '../../src/graphql/schema.ts';

function valid(text: string, operationName?: string) {
  const document = parse(text);
  const operation = getOperationAST(document, operationName);
  if (!operation) throw new Error('the document has no such operation');
  return { document, operation };
}

const compiled = (text: string, operationName?: string): boolean => isCompilable(valid(text, operationName));

const repeated = (count: number, text: (at: number) => string): string =>
  Array.from({ length: count }, (_, at) => text(at)).join(' ');

describe('is compiled', () => {
  test.each([
    ['a read', 'query ($id: ID!) { payment(id: $id) { __typename id amount } }'],
    ['a create', 'mutation ($input: CreatePaymentInput!) { createPayment(input: $input) { id } }'],
    [
      'a list with fragments',
      `query ($first: Int, $filter: PaymentFilter) { payments(first: $first, filter: $filter) { edges { node { ...Some } } } }
        fragment Some on Payment { id ...More } fragment More on Payment { state: status }`,
    ],
  ])('%s', (_name, text) => {
    expect(compiled(text)).toBe(true);
  });
});

describe('is left to graphql-js', () => {
  test.each([
    ['a subscription', 'subscription ($id: ID!) { paymentUpdated(id: $id) { id } }'],
    ['a value', '{ payments(first: 1) { edges { node { id } } } }'],
    ['a default', 'query ($first: Int = 1) { payments(first: $first) { edges { node { id } } } }'],
    [
      'a mutation of several fields',
      'mutation ($id: ID!) { a: cancelPayment(id: $id) { id } b: cancelPayment(id: $id) { id } }',
    ],
    ['a query of several fields', 'query ($id: ID!) { payment(id: $id) { id } attention { kind } }'],
    [
      'a root that is a fragment',
      'query ($id: ID!) { ...Root } fragment Root on Query { payment(id: $id) { id } attention { kind } }',
    ],
    ['a directive', 'query ($id: ID!, $no: Boolean!) { payment(id: $id) { id amount @include(if: $no) } }'],
    ['the schema', '{ __schema { types { name } } }'],
    ['a type', 'query ($name: String!) { __type(name: $name) { name } }'],
    ['a name that objects have', 'query ($id: ID!) { payment(id: $id) { valueOf: id } }'],
    ['a variable that objects have', 'query ($toString: ID!) { payment(id: $toString) { id } }'],
    ['a long selection', `query ($id: ID!) { payment(id: $id) { ${repeated(501, (at) => `a${at}: id`)} } }`],
    [
      'a selection that fragments make long',
      `query ($id: ID!) { payment(id: $id) { ...F0 } }
        ${repeated(40, (at) => `fragment F${at} on Payment { ...F${at + 1} ...F${at + 1} }`)} fragment F40 on Payment { id }`,
    ],
  ])('%s', (_name, text) => {
    expect(compiled(text)).toBe(false);
  });
});

test('selections are counted wherever a fragment is spread', () => {
  const text = `query ($id: ID!) { payment(id: $id) { id ...A ... on Payment { ...A } } }
    fragment A on Payment { amount status }`;
  expect(countSelections(valid(text))).toBe(1 + 3 + 1 + 2 * 2);
});

test('only fields at the root have arguments, since null for another may keep a compiled operation from ending', () => {
  const roots = ['Query', 'Mutation', 'Subscription'];
  const withArguments = Object.values(buildGraphqlSchema().getTypeMap()).flatMap((type) =>
    'getFields' in type && !type.name.startsWith('__') && !roots.includes(type.name)
      ? Object.values(type.getFields())
          .filter((field) => 'args' in field && field.args.length > 0)
          .map(({ name }) => `${type.name}.${name}`)
      : [],
  );
  expect(withArguments).toEqual([]);
});
