import { isInstant, isOwnId, isSmallNumber, type Vocabulary } from '../../core/live/rules/shown.ts';
import { paths } from '../openapi/paths.ts';
import { componentSchemas, type JsonSchema, membersOf } from '../openapi/schemas.ts';

interface Parameter {
  name: string;
  in: string;
  schema: JsonSchema;
}

type Rule = (value: string) => boolean;

const operations = Object.values(paths).flatMap((path) => Object.values(path)) as {
  parameters?: Parameter[];
}[];
const queryParameters = operations
  .flatMap(({ parameters = [] }) => parameters)
  .filter((parameter) => parameter.in === 'query');

/** Texts are never shown, because a reference, a search or a cursor may contain anything. */
function ruleOf({ enum: choices, type, format }: JsonSchema): Rule {
  if (Array.isArray(choices)) return (value) => choices.includes(value);
  if (type === 'integer') return isSmallNumber;
  if (format === 'date-time') return isInstant;
  return format === 'uuid' ? isOwnId : () => false;
}

/** Reads the OpenAPI document and the GraphQL schema. */
export function requestVocabulary(graphqlNames: Iterable<string>): Vocabulary {
  const parameters = new Map<string, Rule>();
  for (const { name, schema } of queryParameters) {
    const rule = ruleOf(schema);
    const another = parameters.get(name);
    parameters.set(name, (value) => rule(value) || another?.(value) === true);
  }
  const members = membersOf(componentSchemas);
  const segments = Object.keys(paths).flatMap((path) => path.split('/'));
  return {
    segments: new Set([...segments.filter((segment) => !segment.startsWith('{')), 'graphql']),
    parameters,
    fields: new Set(['body', ...parameters.keys(), ...members.map(([name]) => name), ...graphqlNames]),
    openFields: new Set(
      members.filter(([, { additionalProperties }]) => additionalProperties).map(([name]) => name),
    ),
  };
}
