import { GraphQLScalarType } from 'graphql';
import { GraphQLDateTime as LibraryDateTime } from 'graphql-scalars';

/** Recognises the format that `Date` prints. */
const isPrinted = (value: unknown): value is string =>
  typeof value === 'string' && value.length === 24 && value.endsWith('Z');

/**
 * The library's scalar, except that instants which the services have printed pass as they are: it would parse and print them
 * again.
 */
export const GraphQLDateTime = new GraphQLScalarType({
  ...LibraryDateTime.toConfig(),
  serialize: (value) => (isPrinted(value) ? value : LibraryDateTime.serialize(value)),
});
