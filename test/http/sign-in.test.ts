import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../support/app.ts';
import { createClient } from '../support/client.ts';
import { query } from '../support/database.ts';
import { cookiesOf, createPerson, personalClient, signIn } from '../support/people.ts';

let app: TestApp;

beforeAll(async () => {
  app = await startTestApp();
});

afterAll(() => app.stop());

test('a person signs in, and asks over GraphQL with the session alone', async () => {
  const person = await createPerson(app);
  const cookie = await signIn(app, person);
  const client = personalClient(app, cookie, person);
  const { status, body } = await client.graphql('{ payments { edges { cursor } } }');
  expect({ status, body }).toEqual({ status: 200, body: { data: { payments: { edges: [] } } } });
});
