import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, visit } from 'graphql';
import { GraphQLJSONObject as LibraryJsonObject } from 'graphql-scalars';
import { JsonText } from '../domain/json/json-text.ts';

/** A name without quotes is an enum value, which JSON has not; the library would drop the member. */
function refuseEnumValues(literal: ValueNode): void {
  visit(literal, {
    [Kind.ENUM](node) {
      throw new GraphQLError(`JSONObject cannot represent ${node.value}: texts need quotes`, { nodes: node });
    },
  });
}

/** The library's scalar, but for literals that it would silently lose a part of, and for what stays text. */
export const GraphQLJSONObject = new GraphQLScalarType({
  ...LibraryJsonObject.toConfig(),
  serialize: (value) => (value instanceof JsonText ? value : LibraryJsonObject.serialize(value)),
  parseLiteral(literal, variables) {
    refuseEnumValues(literal);
    return LibraryJsonObject.parseLiteral(literal, variables);
  },
});
