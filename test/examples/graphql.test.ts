import { execFile } from 'node:child_process';
import { cp, writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { createKey } from '../support/factories.ts';
import { installExample } from '../support/installed-example.ts';

const run = promisify(execFile);
let app: TestApp;
let directory: string;

/** A script of the example, by its name in package.json. */
async function script(name: string, key = ''): Promise<string> {
  const env = { ...process.env, PIX_URL: app.baseUrl, PIX_API_KEY: key };
  return (await run('npm', ['run', '--silent', name], { cwd: directory, env })).stdout;
}

beforeAll(async () => {
  [app, directory] = await Promise.all([startTestApp(), installExample('graphql')]);
  await cp(resolve(import.meta.dirname, '../../schema.graphql'), resolve(directory, '../../schema.graphql'));
  await script('generate');
}, 300_000);

afterAll(() => app.stop());

test('the documents are typed', async () => {
  const code = `import { type DocumentTypeDecoration } from '@graphql-typed-document-node/core';
    import { CreatePaymentDocument } from './src/gql/graphql.ts';
    type Typed<Document> = Document extends DocumentTypeDecoration<infer Result, infer Variables> ? [Result, Variables] : never;
    const [result, variables] = {} as Typed<typeof CreatePaymentDocument>;
    variables.input.amount = 19.9;
    // @ts-expect-error An amount is a number.
    variables.input.amount = '19.9';
    // @ts-expect-error Neither is this a status.
    result.createPayment.status = 'paid';`;
  await writeFile(join(directory, 'typed.ts'), code);
  await script('check');
});

describe.each(['apollo', 'urql'])('the example of %s', (client) => {
  test('creates a payment, reads it and sees it paid', async () => {
    const { key } = await createKey(app.services);
    const [code, ...statuses] = (await script(client, key)).trim().split('\n');
    const [payment] = (await createClient(app.baseUrl, key).get('/v1/payments')).body.data;
    expect(payment).toMatchObject({ amount: 19.9, externalId: 'order-1042', status: 'completed' });
    expect(code).toBe(payment.pixCopyPaste);
    expect(statuses).toEqual(['pending', 'completed']);
  });

  test('fails with an invalid key', async () => {
    await expect(script(client, 'pk_test_none')).rejects.toThrow('The API key is missing or invalid');
  });
});
