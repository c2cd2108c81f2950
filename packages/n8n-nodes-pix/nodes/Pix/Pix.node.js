const onlyFor = (...operation) => ({ show: { operation } });

/** A retry of the same item in the same execution makes nothing twice. Expressions of a request know no execution. */
async function once(request) {
  const item = this.getItemIndex();
  const run = this.evaluateExpression('{{ $runIndex }}', item);
  const execution = `${this.getInstanceId().slice(0, 16)}-${this.getExecutionId()}`;
  const key = `n8n-${execution}-${this.getNode().id}-${run}-${item}`;
  request.headers = { 'Idempotency-Key': key, ...request.headers };
  return request;
}

const path = (rest = '') => `=/v1/payments/{{ encodeURIComponent($parameter["paymentId"]) }}${rest}`;

const body = (property, more = {}) => ({ send: { type: 'body', property, ...more } });
const query = (property) => ({ send: { type: 'query', property } });

const reais = { minValue: 0.01, numberPrecision: 2 };

const operations = [
  {
    name: 'Cancel',
    value: 'cancel',
    action: 'Cancel a payment',
    routing: { request: { method: 'POST', url: path('/cancel'), body: {} }, send: { preSend: [once] } },
  },
  {
    name: 'Create',
    value: 'create',
    action: 'Create a payment',
    routing: { request: { method: 'POST', url: '/v1/payments' }, send: { preSend: [once] } },
  },
  {
    name: 'Get',
    value: 'get',
    action: 'Get a payment',
    routing: { request: { method: 'GET', url: path() } },
  },
  {
    name: 'Get Many',
    value: 'getAll',
    action: 'Get many payments',
    routing: {
      request: { method: 'GET', url: '/v1/payments' },
      output: { postReceive: [{ type: 'rootProperty', properties: { property: 'data' } }] },
    },
  },
  {
    name: 'Play the Payer',
    value: 'sandboxPay',
    action: 'Pay a test payment',
    description: 'Pays a payment of a test key',
    routing: { request: { method: 'POST', url: path('/pay').replace('/v1/', '/v1/sandbox/'), body: {} } },
  },
  {
    name: 'Refund',
    value: 'refund',
    action: 'Refund a payment',
    routing: { request: { method: 'POST', url: path('/refunds'), body: {} }, send: { preSend: [once] } },
  },
];

const idempotencyKey = {
  displayName: 'Idempotency Key',
  name: 'idempotencyKey',
  type: 'string',
  default: '',
  description: 'Such as the number of your order, to be sure of one across executions too',
  routing: { request: { headers: { 'Idempotency-Key': '={{ $value }}' } } },
};

const createFields = [
  {
    displayName: 'Description',
    name: 'description',
    type: 'string',
    default: '',
    routing: body('description'),
  },
  {
    displayName: 'Expires After (Minutes)',
    name: 'expirationMinutes',
    type: 'number',
    typeOptions: { minValue: 5, maxValue: 43_200 },
    default: 30,
    routing: body('expirationMinutes'),
  },
  {
    displayName: 'External ID',
    name: 'externalId',
    type: 'string',
    default: '',
    description: 'Your own reference, such as the number of an order',
    routing: body('externalId'),
  },
  idempotencyKey,
  {
    displayName: 'Metadata',
    name: 'metadata',
    type: 'json',
    default: '{}',
    routing: body('metadata', { value: '={{ typeof $value === "string" ? JSON.parse($value) : $value }}' }),
  },
  {
    displayName: 'Payer Document',
    name: 'payerDocument',
    type: 'string',
    default: '',
    description: 'CPF or CNPJ, which some providers require',
    routing: body('payer.document'),
  },
  {
    displayName: 'Payer Email',
    name: 'payerEmail',
    type: 'string',
    placeholder: 'name@email.com',
    default: '',
    routing: body('payer.email'),
  },
  { displayName: 'Payer Name', name: 'payerName', type: 'string', default: '', routing: body('payer.name') },
];

const filters = [
  {
    displayName: 'External ID',
    name: 'externalId',
    type: 'string',
    default: '',
    routing: query('externalId'),
  },
  {
    displayName: 'Status',
    name: 'status',
    type: 'options',
    default: 'completed',
    options: ['Cancelled', 'Completed', 'Expired', 'Failed', 'Pending', 'Refunded'].map((name) => ({
      name,
      value: name.toLowerCase(),
    })),
    routing: query('status'),
  },
];

exports.Pix = class Pix {
  description = {
    displayName: 'Pix',
    name: 'pix',
    icon: 'file:pix.svg',
    group: ['transform'],
    version: 1,
    subtitle: '={{ $parameter["operation"] }}',
    description: 'Take and refund Pix through your own PIX payment service',
    defaults: { name: 'Pix' },
    usableAsTool: true,
    inputs: ['main'],
    outputs: ['main'],
    credentials: [{ name: 'pixServiceApi', required: true }],
    requestDefaults: {
      baseURL: '={{ $credentials.baseUrl.replace(/\\/+$/, "") }}',
      headers: { Accept: 'application/json' },
    },
    properties: [
      {
        displayName: 'Operation',
        name: 'operation',
        type: 'options',
        noDataExpression: true,
        default: 'create',
        options: operations,
      },
      {
        displayName: 'Payment ID',
        name: 'paymentId',
        type: 'string',
        required: true,
        default: '',
        displayOptions: onlyFor('cancel', 'get', 'refund', 'sandboxPay'),
      },
      {
        displayName: 'Amount',
        name: 'amount',
        type: 'number',
        required: true,
        default: 0,
        typeOptions: reais,
        description: 'In BRL, with at most two decimals',
        displayOptions: onlyFor('create'),
        routing: body('amount'),
      },
      {
        displayName: 'Additional Fields',
        name: 'additionalFields',
        type: 'collection',
        placeholder: 'Add Field',
        default: {},
        displayOptions: onlyFor('create'),
        options: createFields,
      },
      {
        displayName: 'Additional Fields',
        name: 'refundFields',
        type: 'collection',
        placeholder: 'Add Field',
        default: {},
        displayOptions: onlyFor('refund'),
        options: [
          {
            displayName: 'Amount',
            name: 'amount',
            type: 'number',
            default: 0,
            typeOptions: reais,
            description: 'In BRL. Without it, all that is left is refunded.',
            routing: body('amount'),
          },
          idempotencyKey,
          { displayName: 'Reason', name: 'reason', type: 'string', default: '', routing: body('reason') },
        ],
      },
      {
        displayName: 'Return All',
        name: 'returnAll',
        type: 'boolean',
        default: false,
        description: 'Whether to return all results or only up to a given limit',
        displayOptions: onlyFor('getAll'),
        routing: {
          send: {
            paginate: '={{ $value }}',
            type: 'query',
            property: 'limit',
            value: '={{ $value ? 100 : undefined }}',
          },
          operations: {
            pagination: {
              type: 'generic',
              properties: {
                continue: '={{ Boolean($response.body.nextCursor) }}',
                request: { qs: { cursor: '={{ $response.body?.nextCursor }}' } },
              },
            },
          },
        },
      },
      {
        displayName: 'Limit',
        name: 'limit',
        type: 'number',
        typeOptions: { minValue: 1 },
        default: 50,
        description: 'Max number of results to return',
        displayOptions: { show: { operation: ['getAll'], returnAll: [false] } },
        routing: query('limit'),
      },
      {
        displayName: 'Filters',
        name: 'filters',
        type: 'collection',
        placeholder: 'Add Filter',
        default: {},
        displayOptions: onlyFor('getAll'),
        options: filters,
      },
    ],
  };
};
