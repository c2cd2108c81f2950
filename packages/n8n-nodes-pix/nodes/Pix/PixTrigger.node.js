const { createHmac, timingSafeEqual } = require('node:crypto');

const events = [
  ['Cancelled', 'payment_cancelled'],
  ['Completed', 'payment_completed'],
  ['Debit Failed', 'payment_debit_failed'],
  ['Debit Scheduled', 'payment_scheduled'],
  ['Dispute Closed', 'payment_dispute_closed'],
  ['Dispute Deadline', 'payment_dispute_deadline'],
  ['Disputed', 'payment_disputed'],
  ['Expired', 'payment_expired'],
  ['Overdue', 'payment_overdue'],
  ['Paid Twice', 'payment_duplicated'],
  ['Refund Completed', 'refund_completed'],
  ['Refund Failed', 'refund_failed'],
  ['Refunded in Full', 'payment_refunded'],
  ['Reversed', 'payment_reversed'],
  ['Updated', 'payment_updated'],
];

const toleranceSeconds = 300;
/** The service may send an event twice. */
const rememberedEvents = 500;

/** https://www.standardwebhooks.com */
function isGenuine(headers, content, secret) {
  const { 'webhook-id': id, 'webhook-timestamp': timestamp, 'webhook-signature': signatures } = headers;
  if (!secret || !(Math.abs(Date.now() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const mac = createHmac('sha256', key).update(`${id}.${timestamp}.`).update(content).digest('base64');
  const expected = Buffer.from(`v1,${mac}`);
  return String(signatures)
    .split(' ')
    .map((signature) => Buffer.from(signature))
    .some((given) => given.length === expected.length && timingSafeEqual(given, expected));
}

/** Calls the service with the key of the credential. */
async function call(context, method, path, body) {
  const { baseUrl } = await context.getCredentials('pixServiceApi');
  const url = `${baseUrl.replace(/\/+$/, '')}/v1/webhook-endpoints${path}`;
  const options = { method, url, json: true, ...(body && { body }) };
  return context.helpers.httpRequestWithAuthentication.call(context, 'pixServiceApi', options);
}

const isMissing = (error) =>
  [error.httpCode, error.statusCode, error.response?.status].some((code) => Number(code) === 404);

/** Undefined when somebody has deleted it in the service. */
const unlessMissing = (error) => {
  if (!isMissing(error)) throw error;
};

exports.PixTrigger = class PixTrigger {
  description = {
    displayName: 'Pix Trigger',
    name: 'pixTrigger',
    icon: 'file:pix.svg',
    group: ['trigger'],
    version: 1,
    description: 'Starts the workflow when something happens to a Pix payment',
    defaults: { name: 'Pix Trigger' },
    inputs: [],
    outputs: ['main'],
    credentials: [{ name: 'pixServiceApi', required: true }],
    webhooks: [{ name: 'default', httpMethod: 'POST', responseMode: 'onReceived', path: 'webhook' }],
    properties: [
      {
        displayName: 'Events',
        name: 'events',
        type: 'multiOptions',
        required: true,
        default: ['payment_completed'],
        options: events.map(([name, value]) => ({ name, value })),
      },
    ],
  };

  webhookMethods = {
    default: {
      async checkExists() {
        const { endpointId } = this.getWorkflowStaticData('node');
        if (!endpointId) return false;
        const endpoint = await call(this, 'GET', `/${endpointId}`).catch(unlessMissing);
        const wanted = new Set(this.getNodeParameter('events'));
        return (
          endpoint?.enabled === true &&
          endpoint.url === this.getNodeWebhookUrl('default') &&
          endpoint.events.length === wanted.size &&
          endpoint.events.every((event) => wanted.has(event))
        );
      },

      async create() {
        const url = this.getNodeWebhookUrl('default');
        // One of an activation that never ended.
        const { data: endpoints } = await call(this, 'GET', '');
        for (const old of endpoints.filter((endpoint) => endpoint.url === url))
          await call(this, 'DELETE', `/${old.id}`).catch(unlessMissing);
        const { id, secret } = await call(this, 'POST', '', {
          name: `n8n: ${this.getWorkflow().name ?? this.getWorkflow().id}`.slice(0, 100),
          url,
          events: this.getNodeParameter('events'),
        });
        Object.assign(this.getWorkflowStaticData('node'), { endpointId: id, secret });
        return true;
      },

      async delete() {
        const data = this.getWorkflowStaticData('node');
        if (data.endpointId) await call(this, 'DELETE', `/${data.endpointId}`).catch(unlessMissing);
        delete data.endpointId;
        delete data.secret;
        return true;
      },
    },
  };

  async webhook() {
    const request = this.getRequestObject();
    await request.readRawBody?.();
    const data = this.getWorkflowStaticData('node');
    if (!isGenuine(request.headers, request.rawBody ?? '', data.secret)) {
      this.getResponseObject().status(401).end();
      return { noWebhookResponse: true };
    }
    const event = JSON.parse(String(request.rawBody));
    const seen = data.seen ?? [];
    if (seen.includes(event.id)) return { webhookResponse: 'seen' };
    data.seen = [...seen, event.id].slice(-rememberedEvents);
    return { workflowData: [[{ json: event }]] };
  }
};
