import { z } from 'zod';
import { openApiDocument } from '../../src/http/openapi/openapi.ts';
import type { Answer } from './client.ts';

type Json = Record<string, unknown>;

interface DocumentedResponse {
  headers?: Record<string, { schema?: { enum?: string[] } }>;
  content?: { 'application/json': { schema: { $ref: string } } };
}

const { components, paths } = openApiDocument({ serverUrl: 'http://localhost', rateLimitPerMinute: 100 });

const routes = Object.entries(paths).map(([path, operations]) => ({
  pattern: new RegExp(`^${path.replace('{id}', '[^/]+')}$`),
  operations: operations as Record<string, { responses: Record<string, DocumentedResponse> }>,
}));

const nameIn = (reference: string): string => reference.split('/').at(-1) ?? '';

/** Stricter than clients, which must bear members that they do not know: none may go undocumented. */
const definitions = JSON.parse(
  JSON.stringify(components.schemas).replaceAll('#/components/schemas/', '#/$defs/'),
  (_, value: Json | null) =>
    value?.['type'] === 'object' && value['properties'] ? { ...value, additionalProperties: false } : value,
) as Record<string, z.core.JSONSchema.JSONSchema>;

const schemas = new Map<string, z.ZodType>();

/** A schema of the document, which takes nothing that is not in it. */
export function documentedSchema(name: string): z.ZodType {
  const schema = schemas.get(name) ?? z.fromJSONSchema({ $ref: `#/$defs/${name}`, $defs: definitions });
  schemas.set(name, schema);
  return schema;
}

function responseTo(method: string, path: string, status: number): DocumentedResponse | undefined {
  const route = routes.find(({ pattern }) => pattern.test(path));
  const operation = route?.operations[method.toLowerCase()];
  if (!operation) return undefined;
  const response = operation.responses[status] as (DocumentedResponse & { $ref?: string }) | undefined;
  if (!response) throw new Error(`${method} ${path} answered ${status}, which is not documented`);
  if (response.$ref === undefined) return response;
  return components.responses[nameIn(response.$ref)] as DocumentedResponse;
}

/** Fails unless /openapi.json has the answer: its status, its headers and its body. Knows other routes not. */
export function assertDocumented(method: string, url: string, { status, headers, body }: Answer): void {
  const [path = ''] = url.split('?', 1);
  if (body?.details?.resource === 'Route') return;
  const response = responseTo(method, path, status);
  if (!response) return;
  for (const name of Object.keys(components.headers)) {
    if (headers.has(name) && response.headers?.[name] === undefined) {
      throw new Error(`${method} ${path} answered ${status} with ${name}, which is not documented`);
    }
  }
  const codes = response.headers?.['X-Error-Code']?.schema?.enum;
  if (codes && !codes.includes(headers.get('X-Error-Code') ?? 'none')) {
    throw new Error(`${method} ${path} answered ${status} with the code ${headers.get('X-Error-Code')}`);
  }
  const name = nameIn(response.content?.['application/json'].schema.$ref ?? '');
  const { error } = documentedSchema(name).safeParse(body);
  if (error) throw new Error(`${method} ${path} answered no ${name}: ${z.prettifyError(error)}`);
}
