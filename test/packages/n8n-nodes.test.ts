import { createRequire } from 'node:module';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { type Client, createClient } from '../support/client.ts';
import { createKey } from '../support/factories.ts';
import { newWebhookSecret, signatureHeaders } from '../../src/webhook-client/sign.ts';

const load = createRequire(import.meta.url);
const { Pix } = load('../../packages/n8n-nodes-pix/nodes/Pix/Pix.node.js');
const { PixTrigger } = load('../../packages/n8n-nodes-pix/nodes/Pix/PixTrigger.node.js');

const address = 'http://127.0.0.1:5678/webhook/1';
let app: TestApp;
let key: string;
let service: Client;

beforeAll(async () => {
  app = await startTestApp({ WEBHOOK_ALLOWED_HOSTS: '127.0.0.1' });
  ({ key } = await createKey(app.services, { permissions: ['webhooks:manage'] }));
  service = createClient(app.baseUrl, key);
});

afterAll(() => app.stop());

interface StaticData {
  endpointId?: string;
  secret?: string;
}

/** What n8n gives a trigger of a workflow: the nodes were also tried in n8n itself, as their README says. */
function activation(events: string[], staticData: StaticData = {}) {
  const context = {
    getWorkflowStaticData: () => staticData,
    getNodeParameter: () => events,
    getNodeWebhookUrl: () => address,
    getWorkflow: () => ({ id: 'w1', name: 'Pedidos' }),
    getCredentials: async () => ({ baseUrl: `${app.baseUrl}/`, apiKey: key }),
    helpers: {
      async httpRequestWithAuthentication(_name: string, { method, url, body }: Record<string, string>) {
        const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' };
        const response = await fetch(url ?? '', {
          method,
          headers,
          ...(body && { body: JSON.stringify(body) }),
        });
        const text = await response.text();
        if (!response.ok) throw Object.assign(new Error(text), { httpCode: String(response.status) });
        return text && JSON.parse(text);
      },
    },
  };
  const trigger = new PixTrigger();
  const hooks = trigger.webhookMethods.default;
  let refusal: number | undefined;
  return {
    staticData,
    exists: () => hooks.checkExists.call(context),
    create: () => hooks.create.call(context),
    delete: () => hooks.delete.call(context),
    /** Says what starts the workflow, or the status of the refusal. */
    async receive(body: string, headers: Record<string, string>): Promise<unknown> {
      const request = { headers, rawBody: Buffer.from(body) };
      const response = {
        status(code: number) {
          refusal = code;
          return { end: () => undefined };
        },
      };
      const received = { ...context, getRequestObject: () => request, getResponseObject: () => response };
      const { workflowData } = await trigger.webhook.call(received);
      return workflowData?.[0][0].json ?? refusal;
    },
  };
}

const endpoints = async () => (await service.get('/v1/webhook-endpoints')).body.data;

describe('the trigger for n8n', () => {
  it('has an endpoint while it is active, and one alone', async () => {
    const active = activation(['payment_completed']);
    expect(await active.exists()).toBe(false);
    await active.create();
    expect(await endpoints()).toMatchObject([
      { name: 'n8n: Pedidos', url: address, events: ['payment_completed'] },
    ]);
    expect(await active.exists()).toBe(true);

    const changed = activation(['payment_expired'], active.staticData);
    expect(await changed.exists()).toBe(false);
    await changed.create();
    expect(await endpoints()).toMatchObject([{ events: ['payment_expired'] }]);

    await changed.delete();
    expect([await endpoints(), changed.staticData]).toEqual([[], {}]);
  });

  it('ends though somebody has deleted the endpoint, and fails when it cannot be made', async () => {
    const active = activation(['payment_completed']);
    await active.create();
    await service.delete(`/v1/webhook-endpoints/${active.staticData.endpointId}`);
    expect(await active.exists()).toBe(false);
    expect(await active.delete()).toBe(true);
    await expect(activation(['no_event']).create()).rejects.toThrow('events');
  });

  it('starts the workflow once for an event that is signed, and for no other', async () => {
    const secret = newWebhookSecret();
    const active = activation(['payment_completed'], { secret });
    const body = JSON.stringify({ id: 'e1', type: 'payment_completed', data: { id: 'p1' } });
    const sign = (by: string, timestamp = new Date()) =>
      signatureHeaders({ id: 'e1', timestamp, body, secrets: [by] });
    const old = new Date(Date.now() - 3_600_000);
    expect(await active.receive(body, sign(newWebhookSecret()))).toBe(401);
    expect(await active.receive(body.replace('p1', 'p2'), sign(secret))).toBe(401);
    expect(await active.receive(body, sign(secret, old))).toBe(401);
    expect(await active.receive(body, {})).toBe(401);
    expect(await activation([]).receive(body, sign(secret))).toBe(401);
    const fresh = activation(['payment_completed'], { secret });
    expect(await fresh.receive(body, sign(secret))).toEqual(JSON.parse(body));
    expect(await fresh.receive(body, sign(secret))).toBeUndefined();
  });
});

interface Property {
  name: string;
  options?: (Property & { routing?: Routing })[];
  displayOptions?: { show?: { operation?: string[] } };
  routing?: Routing;
}

interface Routing {
  request?: { method?: string; url?: string };
  send?: { type?: string; property?: string };
}

describe('the node for n8n', () => {
  it('sends what the OpenAPI document knows', async () => {
    const { body: document } = await service.get('/openapi.json');
    const properties: Property[] = new Pix().description.properties;
    const operations = properties.find(({ name }) => name === 'operation')?.options ?? [];
    for (const { routing, value } of operations as unknown as { routing: Routing; value: string }[]) {
      const { method = '', url = '' } = routing.request ?? {};
      const path = url.replace(/^=/, '').replace(/\{\{.*?\}\}/, '{id}');
      const operation = document.paths[path]?.[method.toLowerCase()];
      expect([value, Boolean(operation)]).toEqual([value, true]);
      const resolve = (schema: { $ref?: string }) =>
        schema?.$ref ? document.components.schemas[schema.$ref.split('/').at(-1) ?? ''] : schema;
      const input = resolve(operation.requestBody?.content['application/json'].schema);
      const parameters = (operation.parameters ?? []).map((each: { name: string }) => each.name);
      const shown = properties.filter(({ displayOptions }) =>
        displayOptions?.show?.operation?.includes(value),
      );
      for (const { routing: sent } of shown.flatMap((each) => [each, ...(each.options ?? [])])) {
        const { type, property = '' } = sent?.send ?? {};
        if (type === 'query') expect(parameters).toContain(property);
        let schema = input;
        if (type === 'body')
          for (const part of property.split('.')) {
            expect(Object.keys(schema.properties)).toContain(part);
            schema = resolve(schema.properties[part]);
          }
      }
    }
    expect(operations).toHaveLength(6);
  });
});
