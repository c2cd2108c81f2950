import { GraphQLScalarType } from 'graphql';
import { GraphQLDateTime as LibraryDateTime } from 'graphql-scalars';

/** `Date` prints itself so. */
const isPrinted = (value: unknown): value is string =>
  typeof value === 'string' && value.length === 24 && value.endsWith('Z');

/** The library's scalar, except for instants that the services have printed: it would read them, to be printed again. */
export const GraphQLDateTime = new GraphQLScalarType({
  ...LibraryDateTime.toConfig(),
  serialize: (value) => (isPrinted(value) ? value : LibraryDateTime.serialize(value)),
});
