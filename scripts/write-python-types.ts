// Writes the types of packages/python from the OpenAPI document; with --print, prints the module.
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { clientTypes, type Schema, schemas } from './client-types.ts';

const path = join(import.meta.dirname, '../packages/python/pix_service.py');
const [begin, end] = ['# Generated from the OpenAPI document.\n', '# End of what is generated.\n'];

const written = new Map<string, string>();

function typeOf(schema: Schema, name: string, parent: string): string {
  const reference = schema.$ref?.split('/').at(-1);
  if (reference !== undefined) return reference;
  if (schema.const !== undefined) return `Literal[${literal(schema.const)}]`;
  if (schema.enum) return `Literal[${schema.enum.map(literal).join(', ')}]`;
  if (schema.anyOf) return 'Any';
  switch (schema.type) {
    case 'string':
      return 'str';
    case 'integer':
      return 'int';
    case 'number':
      return 'Amount';
    case 'boolean':
      return 'bool';
    case 'array':
      return `List[${typeOf(schema.items ?? {}, name, parent)}]`;
    default:
      if (!schema.properties) return 'Dict[str, Any]';
      return writeType(name, schema, parent);
  }
}

const literal = (value: unknown): string =>
  typeof value === 'boolean' ? (value ? 'True' : 'False') : JSON.stringify(value);

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

/**
 * Two classes, as `NotRequired` came with Python 3.11. Returns the name, which begins with the parent's where a request and its
 * response have a member of one name and different types.
 */
function writeType(wanted: string, { properties = {}, required = [] }: Schema, parent = ''): string {
  const members = Object.entries(properties).map(([member, schema]) => ({
    isRequired: required.includes(member),
    line: `    ${member}: ${typeOf(schema, capitalized(member), wanted)}\n`,
  }));
  const lines = (isRequired: boolean) =>
    members
      .filter((member) => member.isRequired === isRequired)
      .map(({ line }) => line)
      .join('') || '    pass\n';
  const classes = (name: string) =>
    `class _${name}(TypedDict):\n${lines(true)}\n\nclass ${name}(_${name}, total=False):\n${lines(false)}`;
  const isTaken = written.has(wanted) && written.get(wanted) !== classes(wanted);
  const name = isTaken ? parent + wanted : wanted;
  written.set(name, classes(name));
  return name;
}

for (const name of clientTypes) writeType(name, schemas[name] ?? {});
const source = await readFile(path, 'utf8');
const before = source.slice(0, source.indexOf(begin) + begin.length);
const types = [...written.values()].map((type) => `\n\n${type}`).join('');
const module = `${before}${types}\n\n${source.slice(source.indexOf(end))}`;
if (process.argv.includes('--print')) process.stdout.write(module);
else await writeFile(path, module);
