// Writes the types of packages/php from the OpenAPI document; with --print, prints them.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientTypes, type Schema, schemas } from './client-types.ts';

const path = join(import.meta.dirname, '../packages/php/src/Types.php');

const literal = (value: unknown): string =>
  typeof value === 'string' ? `'${value.replaceAll("'", "\\'")}'` : JSON.stringify(value);

const scalars: Readonly<Record<string, string>> = {
  string: 'string',
  integer: 'int',
  number: 'int|float',
  boolean: 'bool',
  null: 'null',
};

function typeOf(schema: Schema, indent: string): string {
  const reference = schema.$ref?.split('/').at(-1);
  if (reference !== undefined) {
    // What is no type of its own is written where it is used.
    return clientTypes.includes(reference) ? reference : typeOf(schemas[reference] ?? {}, indent);
  }
  if (schema.const !== undefined) return literal(schema.const);
  if (schema.enum) return schema.enum.map(literal).join('|');
  if (schema.anyOf) return 'mixed';
  return [schema.type]
    .flat()
    .map((type) => namedType(schema, type, indent))
    .join('|');
}

function namedType(schema: Schema, type: string | undefined, indent: string): string {
  if (type === 'array') return `list<${typeOf(schema.items ?? {}, indent)}>`;
  const scalar = type === undefined ? undefined : scalars[type];
  return scalar ?? (schema.properties ? shapeOf(schema, indent) : 'array<string, mixed>');
}

function shapeOf({ properties = {}, required = [] }: Schema, indent: string): string {
  const inner = `${indent}  `;
  const members = Object.entries(properties).map(
    ([name, schema]) =>
      `\n * ${inner}${name}${required.includes(name) ? '' : '?'}: ${typeOf(schema, inner)},`,
  );
  return `array{${members.join('')}\n * ${indent}}`;
}

const types = clientTypes.map((name) => ` * @phpstan-type ${name} ${shapeOf(schemas[name] ?? {}, '')}\n`);
const source = `<?php

// Generated from the OpenAPI document.

declare(strict_types=1);

namespace PixService;

/**
 * What is sent and returned, as PHPStan and Psalm read it.
 *
${types.join(' *\n')} */
interface Types
{
}
`;
if (process.argv.includes('--print')) process.stdout.write(source);
else await writeFile(path, source);
