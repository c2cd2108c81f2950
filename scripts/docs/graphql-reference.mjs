// @ts-check
import {
  buildSchema,
  getNamedType,
  isEnumType,
  isInputObjectType,
  isInterfaceType,
  isObjectType,
  isScalarType,
  isSpecifiedScalarType,
  isUnionType,
} from 'graphql';

/** @typedef {import('graphql').GraphQLNamedType} NamedType */
/** @typedef {{ description?: string | null | undefined, deprecationReason?: string | null | undefined }} Described */

/** A sentence or two on the line of a list. @type {(each: Described) => string} */
const about = ({ description, deprecationReason }) =>
  [
    description?.replaceAll(/\s+/g, ' ').replaceAll('<', '&lt;'),
    deprecationReason && `**Deprecated:** ${deprecationReason}`,
  ]
    .filter(Boolean)
    .join(' ');

/** @type {(text: string) => string} */
const described = (text) => (text ? `: ${text}` : '');

/** The source by which links name the page of types. */
export const typesPage = 'graphql-types';

/** With a link to the type, if it has a section. @type {(type: import('graphql').GraphQLType) => string} */
function typeLink(type) {
  const named = getNamedType(type);
  const code = `\`${String(type)}\``;
  return isSpecifiedScalarType(named) ? code : `[${code}](${typesPage}#${named.name.toLowerCase()})`;
}

/** @type {(value: import('graphql').GraphQLArgument | import('graphql').GraphQLInputField) => string} */
const inputLine = (value) => `\`${value.name}\` ${typeLink(value.type)}${described(about(value))}`;

/** @type {(field: import('graphql').GraphQLField<unknown, unknown>) => string} */
const fieldLines = (field) =>
  [
    `- \`${field.name}\` ${typeLink(field.type)}${described(about(field))}`,
    ...field.args.map((argument) => `  - ${inputLine(argument)}`),
  ].join('\n');

/** @type {(field: import('graphql').GraphQLField<unknown, unknown>) => string} */
const operation = (field) =>
  [
    `### \`${field.name}\``,
    about(field),
    `Returns ${typeLink(field.type)}.`,
    field.args.map((argument) => `- ${inputLine(argument)}`).join('\n'),
  ].join('\n\n');

/** @type {(type: NamedType) => string} */
function members(type) {
  if (isEnumType(type))
    return type
      .getValues()
      .map((value) => `- \`${value.name}\`${described(about(value))}`)
      .join('\n');
  if (isInputObjectType(type))
    return Object.values(type.getFields())
      .map((field) => `- ${inputLine(field)}`)
      .join('\n');
  if (isUnionType(type)) return `One of ${type.getTypes().map(typeLink).join(', ')}.`;
  if (isObjectType(type) || isInterfaceType(type))
    return Object.values(type.getFields()).map(fieldLines).join('\n');
  return '';
}

const kinds = [
  { title: 'Objects', is: isObjectType },
  { title: 'Inputs', is: isInputObjectType },
  { title: 'Enums', is: isEnumType },
  { title: 'Interfaces', is: isInterfaceType },
  { title: 'Unions', is: isUnionType },
  { title: 'Scalars', is: isScalarType },
];

/** Operations and types of a schema, each as a page of Markdown. @type {(sdl: string) => { operations: string, types: string }} */
export function graphqlReference(sdl) {
  const schema = buildSchema(sdl);
  const roots = [
    { title: 'Queries', type: schema.getQueryType() },
    { title: 'Mutations', type: schema.getMutationType() },
    { title: 'Subscriptions', type: schema.getSubscriptionType() },
  ];
  const named = Object.values(schema.getTypeMap())
    .filter(({ name }) => !name.startsWith('__') && !roots.some(({ type }) => type?.name === name))
    .filter((type) => !isSpecifiedScalarType(type))
    .sort((a, b) => a.name.localeCompare(b.name));
  const operations = roots.flatMap(({ title, type }) => [
    `## ${title}`,
    ...Object.values(type?.getFields() ?? {}).map(operation),
  ]);
  const types = kinds
    .map(({ title, is }) => ({ title, found: named.filter((type) => is(type)) }))
    .filter(({ found }) => found.length > 0)
    .flatMap(({ title, found }) => [
      `## ${title}`,
      ...found.flatMap((type) => [`### \`${type.name}\``, about(type), members(type)]),
    ]);
  const introduction = `Every operation of \`/graphql\`, from its schema. [Using the API](docs/api.md) says what holds for all of them, and their types have [a page of their own](${typesPage}). Outside of production, \`/graphql\` opened in a browser is an explorer.`;
  return {
    operations: ['# GraphQL reference', introduction, ...operations].join('\n\n'),
    types: ['# GraphQL types', 'What [operations](schema.graphql) take and return.', ...types].join('\n\n'),
  };
}
