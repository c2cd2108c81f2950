import { GraphQLError, GraphQLScalarType, Kind, type ValueNode, visit } from 'graphql';
import { GraphQLJSONObject as LibraryJsonObject } from 'graphql-scalars';
import { JsonText } from '../../core/base/json/json-text.ts';

/** An unquoted name is an enum value, which JSON does not have; the library would silently drop the member. */
function refuseEnumValues(literal: ValueNode): void {
  visit(literal, {
    [Kind.ENUM](node) {
      throw new GraphQLError(`JSONObject cannot represent ${node.value}: texts need quotes`, { nodes: node });
    },
  });
}

/** The library's scalar, except for literals that it would silently truncate, and for JSON kept as text. */
export const GraphQLJSONObject = new GraphQLScalarType({
  ...LibraryJsonObject.toConfig(),
  serialize: (value) => (value instanceof JsonText ? value : LibraryJsonObject.serialize(value)),
  parseLiteral(literal, variables) {
    refuseEnumValues(literal);
    return LibraryJsonObject.parseLiteral(literal, variables);
  },
});
