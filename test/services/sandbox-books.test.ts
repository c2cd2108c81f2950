import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { type BooksApp, startBooksApp } from '../support/books.ts';
import { createClient } from '../support/client.ts';
import { createKey } from '../support/factories.ts';

let service: BooksApp;
beforeAll(async () => {
  service = await startBooksApp();
});
afterAll(() => service.stop());

test('test payments are not in the books of live credentials', async () => {
  const books = await service.open();
  const { key } = await createKey(service.app.services, {
    mode: 'test',
    organizationId: books.organizationId,
  });
  const client = createClient(service.app.baseUrl, key);
  const { body } = await client.post('/v1/payments', { amount: 5 });
  expect((await client.post(`/v1/sandbox/payments/${body.id}/pay`)).body).toMatchObject({
    status: 'completed',
  });
  await books.createPaid();
  await books.closeDay();
  expect(await books.book()).toMatchObject({ state: 'closed', pixCount: 1, ownPixCount: 1, differences: [] });
});
