// What of an OpenAPI document would break a client written for an earlier one. The rules are those that oasdiff calls
// errors (https://github.com/oasdiff/oasdiff/blob/main/docs/BREAKING-CHANGES.md).

/** What the document uses of JSON Schema. */
interface Schema {
  $ref?: string;
  type?: string | string[];
  format?: string;
  enum?: unknown[];
  const?: unknown;
  pattern?: string;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema;
  properties?: Record<string, Schema>;
  required?: string[];
  additionalProperties?: boolean | Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
}

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  schema: Schema;
}

interface Content {
  content?: Record<string, { schema: Schema }>;
}

interface Operation {
  parameters?: Parameter[];
  requestBody?: Content & { required?: boolean };
  responses: Record<string, Content & { $ref?: string }>;
}

export interface OpenApiDocument {
  paths: Record<string, Record<string, Operation>>;
  webhooks?: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema>; responses?: Record<string, Content> };
}

type Direction = 'sent' | 'received';

/** What breaks clients: what they send may only become less restricted, what they receive only more. */
export function incompatibleChanges(before: OpenApiDocument, after: OpenApiDocument): string[] {
  const changes: string[] = [];

  const resolve = <Part extends { $ref?: string }>(document: OpenApiDocument, part: Part): Part => {
    if (!part.$ref) return part;
    const found = part.$ref
      .slice(2)
      .split('/')
      .reduce<unknown>((node, key) => (node as Record<string, unknown>)[key], document);
    return resolve(document, found as Part);
  };

  function compareValues(where: string, old: Schema, now: Schema, direction: Direction): void {
    const values = ({ enum: listed, const: only }: Schema) =>
      (only === undefined ? listed : [only])?.map((value) => JSON.stringify(value));
    const [narrower, wider] = direction === 'sent' ? [now, old] : [old, now];
    const [oldType, nowType] = [String(old.type), String(now.type)];
    if (oldType !== nowType) changes.push(`${where}: type ${oldType} became ${nowType}`);
    if (old.format !== now.format) changes.push(`${where}: format ${old.format} became ${now.format}`);
    // A value more in a response is a warning there, and announced as possible here.
    if (direction === 'received') return;
    const allowed = values(now);
    const lost = allowed && (values(wider) ?? ['anything else']).filter((value) => !allowed.includes(value));
    if (lost?.length) changes.push(`${where}: no longer takes ${lost.join(', ')}`);
    for (const bound of ['minimum', 'minLength', 'minItems'] as const)
      if ((narrower[bound] ?? -Infinity) > (wider[bound] ?? -Infinity))
        changes.push(`${where}: higher ${bound}`);
    for (const bound of ['maximum', 'maxLength', 'maxItems'] as const)
      if ((narrower[bound] ?? Infinity) < (wider[bound] ?? Infinity))
        changes.push(`${where}: lower ${bound}`);
    if (now.pattern !== undefined && now.pattern !== old.pattern) changes.push(`${where}: other pattern`);
  }

  function compareProperties(where: string, old: Schema, now: Schema, direction: Direction): void {
    for (const [name, property] of Object.entries(old.properties ?? {})) {
      const current = now.properties?.[name];
      if (current) compare(`${where}.${name}`, property, current, direction);
      else if (direction === 'received' || now.additionalProperties === false)
        changes.push(`${where}.${name}: removed`);
    }
    const [needed, given] = direction === 'sent' ? [now, old] : [old, now];
    for (const name of needed.required ?? [])
      if (
        !given.required?.includes(name) &&
        needed.properties?.[name] &&
        (direction === 'sent' || given.properties?.[name])
      )
        changes.push(`${where}.${name}: ${direction === 'sent' ? 'became required' : 'became optional'}`);
  }

  function compare(where: string, oldSchema: Schema, nowSchema: Schema, direction: Direction): void {
    const old = resolve(before, oldSchema);
    const now = resolve(after, nowSchema);
    compareValues(where, old, now, direction);
    compareProperties(where, old, now, direction);
    if (old.items && now.items) compare(`${where}[]`, old.items, now.items, direction);
    for (const kind of ['anyOf', 'oneOf', 'allOf'] as const) {
      const [options, current] = [old[kind] ?? [], now[kind] ?? []];
      if (options.length > current.length) changes.push(`${where}: fewer of ${kind}`);
      options.forEach(
        (option, at) => current[at] && compare(`${where}(${at})`, option, current[at], direction),
      );
    }
  }

  function compareBody(
    where: string,
    old: Content | undefined,
    now: Content | undefined,
    direction: Direction,
  ): void {
    for (const [type, { schema }] of Object.entries(old?.content ?? {})) {
      const current = now?.content?.[type];
      if (current) compare(where, schema, current.schema, direction);
      else changes.push(`${where}: no ${type} any more`);
    }
  }

  function compareOperation(where: string, old: Operation, now: Operation, isWebhook: boolean): void {
    const [input, output]: Direction[] = isWebhook ? ['received', 'sent'] : ['sent', 'received'];
    const named = ({ name, in: place }: Parameter) => `${place} ${name}`;
    for (const parameter of old.parameters ?? []) {
      const current = now.parameters?.find((other) => named(other) === named(parameter));
      if (current) compare(`${where} ${named(parameter)}`, parameter.schema, current.schema, input!);
      else changes.push(`${where} ${named(parameter)}: removed`);
    }
    for (const parameter of now.parameters ?? []) {
      const former = old.parameters?.find((other) => named(other) === named(parameter));
      if (parameter.required && !former?.required && !isWebhook)
        changes.push(`${where} ${named(parameter)}: became required`);
    }
    if (now.requestBody?.required && !old.requestBody?.required)
      changes.push(`${where}: a body became required`);
    compareBody(`${where} body`, old.requestBody, now.requestBody, input!);
    for (const [status, response] of Object.entries(old.responses)) {
      const current = now.responses[status];
      if (current)
        compareBody(`${where} ${status}`, resolve(before, response), resolve(after, current), output!);
      else if (status.startsWith('2')) changes.push(`${where}: no ${status} any more`);
    }
  }

  for (const kind of ['paths', 'webhooks'] as const)
    for (const [path, operations] of Object.entries(before[kind] ?? {}))
      for (const [method, operation] of Object.entries(operations)) {
        const where = `${method.toUpperCase()} ${path}`;
        const current = after[kind]?.[path]?.[method];
        if (current) compareOperation(where, operation, current, kind === 'webhooks');
        else changes.push(`${where}: removed`);
      }
  return changes;
}
