// Writes examples/postman from the OpenAPI document; with --print, prints it. Postman, Bruno, Insomnia and Hoppscotch import it.
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import prettier from 'prettier';
import { createdAt } from '../src/http/openapi/examples.ts';
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

const { paths, info } = openApiDocument({
  serverUrl: 'http://localhost:3000',
  rateLimitPerMinute: 100,
});

const operations = new Map(
  Object.entries(paths as unknown as Record<string, Record<string, Operation>>).flatMap(([route, methods]) =>
    Object.entries(methods).map(([method, operation]) => [
      operation.operationId,
      { route, method, operation },
    ]),
  ),
);

/** An operation, with a body of its own where that of the reference does not fit what went before. */
type Step = string | [operationId: string, body: object];

const payer = { name: 'Fulano de Tal', document: '529.982.247-25' };
const newDebt: Step = ['createPayment', { amount: 19.9, payer, due: { date: '{{in20Days}}' } }];
const newRecurrence: Step = [
  'createRecurrence',
  {
    payer,
    contract: '63100862',
    frequency: 'monthly',
    startDate: '{{in7Days}}',
    retries: 'three_in_seven_days',
    authorization: 'qr',
  },
];
const newDispute: Step[] = ['createPayment', 'sandboxPay', 'sandboxDispute', 'listDisputes'];

/** Every operation at least once, each where those before it have made what it needs: a folder can be run from top to bottom. */
const folders: Record<string, Step[]> = {
  Payments: [
    'createPayment',
    'listPayments',
    'getPayment',
    'createPaymentToken',
    'sandboxPay',
    'refundPayment',
    'listRefunds',
    'listAllRefunds',
    'sandboxReverse',
    newDebt,
    'updatePayment',
    'cancelPayment',
    'createPayment',
    'sandboxExpire',
    'createPaymentBatch',
    'getPaymentBatch',
  ],
  Recurrences: [
    newRecurrence,
    'listRecurrences',
    'getRecurrence',
    'sandboxApproveRecurrence',
    ['chargeRecurrence', { amount: 5, dueDate: '{{in8Days}}' }],
    'listRecurrencePayments',
    ['sandboxAnswerDebit', { outcome: 'limit' }],
    ['retryPayment', { date: '{{in10Days}}' }],
    'cancelRecurrence',
    newRecurrence,
    'sandboxRejectRecurrence',
    newRecurrence,
    'sandboxApproveRecurrence',
    'sandboxRevokeRecurrence',
  ],
  Disputes: [
    ...newDispute,
    'getDispute',
    'getDisputeEvidence',
    'defendDispute',
    'getDisputeDocument',
    'sandboxCloseDispute',
    ...newDispute,
    'acceptDispute',
  ],
  'Payment links': [
    'createPaymentLink',
    'listPaymentLinks',
    'getPaymentLink',
    'listPaymentLinkPayments',
    'deactivatePaymentLink',
  ],
  'Webhook endpoints': [
    'createWebhookEndpoint',
    'listWebhookEndpoints',
    'getWebhookEndpoint',
    'updateWebhookEndpoint',
    'testWebhookEndpoint',
    'rotateWebhookSecret',
    'disableWebhookEndpoint',
    'enableWebhookEndpoint',
    'deleteWebhookEndpoint',
  ],
  Events: ['listEvents'],
  Sandbox: ['sandboxReceivePix', 'readTestClock', 'advanceTestClock', 'resetTestClock'],
  // It does not end by itself.
  'Requests as they come': ['streamRequests'],
};

/** Where later requests find the id of what a response has. */
const kept: Record<string, [variable: string, from: string]> = {
  createPayment: ['paymentId', 'id'],
  chargeRecurrence: ['paymentId', 'id'],
  createPaymentBatch: ['batchId', 'id'],
  createRecurrence: ['recurrenceId', 'id'],
  createPaymentLink: ['linkId', 'id'],
  createWebhookEndpoint: ['endpointId', 'id'],
  listDisputes: ['disputeId', 'data[0].id'],
  defendDispute: ['documentId', 'documents[0].id'],
};

const idsByNoun: Record<string, string> = {
  payments: 'paymentId',
  'payment-batches': 'batchId',
  recurrences: 'recurrenceId',
  disputes: 'disputeId',
  'payment-links': 'linkId',
  'webhook-endpoints': 'endpointId',
};

const script = (listen: 'prerequest' | 'test', ...exec: string[]) => ({
  listen,
  script: { type: 'text/javascript', exec },
});

const daysAhead = new Set<number>();

/** The days of the reference, as so many days from now. */
const withDays = (body: string): string =>
  body
    .replaceAll(/"(\d{4}-\d\d-\d\d)"/g, (_, day: string) => {
      const days = Math.round((Date.parse(day) - Date.parse(createdAt)) / 86_400_000);
      return `"{{in${days}Days}}"`;
    })
    .replaceAll(/\{\{in(\d+)Days\}\}/g, (text, days: string) => {
      daysAhead.add(Number(days));
      return text;
    });

function requestOf(step: Step) {
  const [operationId, ownBody] = typeof step === 'string' ? [step] : step;
  const found = operations.get(operationId);
  if (!found) throw new Error(`${operationId} is no operation`);
  const { route, method, operation } = found;
  const { summary, description, parameters = [], requestBody } = operation;
  const [, noun = ''] = /(?:v1|sandbox)\/([\w-]+)\/\{id\}/.exec(route) ?? [];
  const segments = route
    .slice(1)
    .replace('{id}', `{{${idsByNoun[noun]}}}`)
    .replace('{documentId}', '{{documentId}}')
    .split('/');
  const query = parameters
    .filter((each) => each.in === 'query')
    .map(({ name, description: about }) => ({ key: name, value: '', description: about, disabled: true }));
  const isIdempotent = parameters.some(({ name }) => name === 'Idempotency-Key');
  const keep = kept[operationId];
  const body = ownBody ?? requestBody?.content['application/json'].example;
  return {
    name: summary,
    ...(keep && {
      event: [script('test', `pm.collectionVariables.set('${keep[0]}', pm.response.json().${keep[1]});`)],
    }),
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
      ...(body !== undefined && { body: { mode: 'raw', raw: withDays(JSON.stringify(body, null, 2)) } }),
    },
  };
}

const item = Object.entries(folders).map(([name, steps]) => ({ name, item: steps.map(requestOf) }));

const told = new Set(Object.values(folders).flatMap((steps) => steps.map((step) => [step].flat()[0])));
const untold = [...operations.keys()].filter((id) => !told.has(id));
if (untold.length > 0) throw new Error(`The collection lacks ${untold.join(', ')}`);

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
  event: [
    script(
      'prerequest',
      '// Days of São Paulo.',
      `for (const days of [${[...daysAhead].toSorted((a, b) => a - b).join(', ')}]) {`,
      '  const at = new Date(Date.now() + days * 86400000 - 3 * 3600000);',
      '  pm.variables.set(`in${days}Days`, at.toISOString().slice(0, 10));',
      '}',
    ),
    script('test', "pm.test('succeeds', () => pm.expect(pm.response.code).to.be.below(300));"),
  ],
  variable: [
    { key: 'baseUrl', value: 'http://localhost:3000' },
    ...['apiKey', ...new Set(Object.values(kept).map(([variable]) => variable))].map((key) => ({
      key,
      value: '',
    })),
  ],
  item,
};

const options = await prettier.resolveConfig(path);
const source = await prettier.format(JSON.stringify(collection), { ...options, filepath: path });
if (process.argv.includes('--print')) process.stdout.write(source);
else await writeFile(path, source);
