import { readFileSync } from 'node:fs';
import { describe, expect, it } from '@jest/globals';
import { buildSchema, findBreakingChanges } from 'graphql';
import { openApiDocument } from '../src/http/openapi/openapi.ts';
import { incompatibleChanges, type OpenApiDocument } from './support/openapi-changes.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const lastRelease = './releases/1.1.0';
const document = () =>
  openApiDocument({
    serverUrl: 'http://localhost:3000',
    rateLimitPerMinute: 100,
  }) as unknown as OpenApiDocument;
const released = JSON.parse(read(`${lastRelease}/openapi.json`)) as OpenApiDocument;

describe('A client written for the last release', () => {
  it('can send everything over REST that it could, and finds everything in responses', () => {
    expect(incompatibleChanges(released, document())).toEqual([]);
  });

  it('can run every GraphQL document that it could', () => {
    const before = buildSchema(read(`${lastRelease}/schema.graphql`));
    expect(findBreakingChanges(before, buildSchema(read('../schema.graphql')))).toEqual([]);
  });
});

/** `released`, changed. */
function changed(change: (document: OpenApiDocument) => void): OpenApiDocument {
  const copy = structuredClone(released);
  change(copy);
  return copy;
}

type Changed = ReturnType<typeof schemaOf>;
const schemaOf = ({ components }: OpenApiDocument, name: string) => {
  const found = components.schemas[name];
  if (!found?.properties) throw new Error(`no object ${name}`);
  return found as typeof found & { properties: Record<string, typeof found> };
};

describe('A change of the OpenAPI document', () => {
  const inSchema = (name: string, change: (schema: Changed) => void) =>
    incompatibleChanges(
      released,
      changed((copy) => change(schemaOf(copy, name))),
    );

  it.each<[string, string[]]>([
    [
      'POST /v1/payments: removed',
      incompatibleChanges(
        released,
        changed(({ paths }) => delete paths['/v1/payments']!.post),
      ),
    ],
    [
      'POST /v1/payments: no 201 any more',
      incompatibleChanges(
        released,
        changed(({ paths }) => delete paths['/v1/payments']!.post!.responses['201']),
      ),
    ],
    [
      'GET /v1/payments query limit: removed',
      incompatibleChanges(
        released,
        changed(({ paths }) => {
          const list = paths['/v1/payments']!.get!;
          list.parameters = list.parameters!.filter(({ name }) => name !== 'limit');
        }),
      ),
    ],
    [
      'GET /v1/payments query limit: became required',
      incompatibleChanges(
        released,
        changed(({ paths }) => {
          paths['/v1/payments']!.get!.parameters!.find(({ name }) => name === 'limit')!.required = true;
        }),
      ),
    ],
    [
      'POST /v1/payments body.description: lower maxLength',
      inSchema('CreatePayment', ({ properties }) => (properties.description!.maxLength = 10)),
    ],
    [
      'POST /v1/payments body.description: became required',
      inSchema('CreatePayment', (schema) => schema.required!.push('description')),
    ],
    [
      'POST /v1/payments body.amount: type number became string',
      inSchema('CreatePayment', ({ properties }) => (properties.amount!.type = 'string')),
    ],
    [
      'POST /v1/payments body.externalId: other pattern',
      inSchema('CreatePayment', ({ properties }) => (properties.externalId!.pattern = '^[a-z]+$')),
    ],
    [
      'POST /v1/payments body.description: no longer takes anything else',
      inSchema('CreatePayment', ({ properties }) => (properties.description!.enum = ['T-shirt'])),
    ],
    [
      'GET /v1/payments/{id} 200.endToEndId: removed',
      inSchema('Payment', ({ properties }) => delete properties.endToEndId),
    ],
    [
      'GET /v1/payments/{id} 200.provider: became optional',
      inSchema(
        'Payment',
        (schema) => (schema.required = schema.required!.filter((name) => name !== 'provider')),
      ),
    ],
    ['POST event body.sequence: removed', inSchema('Event', ({ properties }) => delete properties.sequence)],
  ])('that breaks a client is found: %s', (expected, found) => {
    expect(found).toContain(expected);
  });

  it.each<[string, string[]]>([
    [
      'a new path',
      incompatibleChanges(
        changed(({ paths }) => delete paths['/v1/events']),
        released,
      ),
    ],
    ['a new property of responses', inSchema('Payment', ({ properties }) => (properties.more = {}))],
    [
      'a new optional property of requests',
      inSchema('CreatePayment', ({ properties }) => (properties.more = {})),
    ],
    [
      'a longer text in requests',
      inSchema('CreatePayment', ({ properties }) => (properties.description!.maxLength = 10_000)),
    ],
    [
      'a new status in responses',
      inSchema('Payment', ({ properties }) => properties.status!.enum!.push('held')),
    ],
  ])('that breaks nobody is none: %s', (_, found) => {
    expect(found).toEqual([]);
  });
});
