// Writes examples/postman from the OpenAPI document; with --print, prints it. Postman, Bruno, Insomnia and Hoppscotch import it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import prettier from 'prettier';
import { openApiDocument } from '../src/http/openapi/openapi.ts';

const path = join(import.meta.dirname, '../examples/postman/pix.postman_collection.json');

interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
}

interface Operation {
  operationId: string;
  summary: string;
  description?: string;
  tags: string[];
  parameters?: Parameter[];
  requestBody?: { content: { 'application/json': { example: unknown } } };
}

const { paths, info, tags } = openApiDocument({
  serverUrl: 'http://localhost:3000',
  rateLimitPerMinute: 100,
});

/** The last payment that was created; a request of it needs no id typed. */
const keepPayment = {
  listen: 'test',
  script: {
    type: 'text/javascript',
    exec: ["if (pm.response.code === 201) pm.collectionVariables.set('paymentId', pm.response.json().id);"],
  },
};

function requestOf(route: string, method: string, operation: Operation) {
  const { operationId, summary, description, parameters = [], requestBody } = operation;
  const segments = route.slice(1).replaceAll('{id}', '{{paymentId}}').split('/');
  const query = parameters
    .filter((each) => each.in === 'query')
    .map(({ name, description: about }) => ({ key: name, value: '', description: about, disabled: true }));
  const isIdempotent = parameters.some(({ name }) => name === 'Idempotency-Key');
  return {
    name: summary,
    ...(operationId === 'createPayment' && { event: [keepPayment] }),
    request: {
      method: method.toUpperCase(),
      ...(description !== undefined && { description }),
      header: [
        ...(isIdempotent ? [{ key: 'Idempotency-Key', value: '{{$guid}}' }] : []),
        ...(requestBody ? [{ key: 'Content-Type', value: 'application/json' }] : []),
      ],
      url: {
        raw: `{{baseUrl}}/${segments.join('/')}`,
        host: ['{{baseUrl}}'],
        path: segments,
        ...(query.length > 0 && { query }),
      },
      ...(requestBody && {
        body: { mode: 'raw', raw: JSON.stringify(requestBody.content['application/json'].example, null, 2) },
      }),
    },
  };
}

const requests = Object.entries(paths as unknown as Record<string, Record<string, Operation>>).flatMap(
  ([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      tag: operation.tags[0],
      item: requestOf(route, method, operation),
    })),
);

const collection = {
  info: {
    name: info.title,
    description: info.description,
    schema: 'https://schema.getpostman.com/json/collection/v2.1.0/collection.json',
  },
  auth: {
    type: 'apikey',
    apikey: [
      { key: 'key', value: 'X-API-Key' },
      { key: 'value', value: '{{apiKey}}' },
      { key: 'in', value: 'header' },
    ],
  },
  variable: [
    { key: 'baseUrl', value: 'http://localhost:3000' },
    { key: 'apiKey', value: '' },
    { key: 'paymentId', value: '' },
  ],
  item: tags.map(({ name, description }) => ({
    name,
    description,
    item: requests.filter(({ tag }) => tag === name).map(({ item }) => item),
  })),
};

const options = await prettier.resolveConfig(path);
const source = await prettier.format(JSON.stringify(collection), { ...options, filepath: path });
if (process.argv.includes('--print')) process.stdout.write(source);
else await writeFile(path, source);
