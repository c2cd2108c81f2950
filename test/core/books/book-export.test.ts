import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { type BooksApp, returnAtBank, startBooksApp } from '../../support/books.ts';
import { createPerson, signIn } from '../../support/people.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

let service: BooksApp;

beforeAll(async () => {
  service = await startBooksApp({ TRUST_PROXY: '1' });
});

afterAll(() => service.stop());

const amounts = (lines: string[][]) => lines.map((cells) => Number(cells[9]));
const total = (numbers: number[]) => Math.round(numbers.reduce((sum, each) => sum + each * 100, 0));

async function linesOf(organizationId: string, day: string): Promise<string[][]> {
  const pieces = service.app.services.bookExport.csv(operatorFor(organizationId), { from: day, to: day });
  let text = '';
  for await (const piece of pieces) text += piece;
  return text
    .trimEnd()
    .split('\r\n')
    .map((line) => line.split(','));
}

test('every Pix, refund and reversal has a line, and the lines add up to what the bank left of the day', async () => {
  const books = await service.open();
  const { client, organizationId, day } = books;
  const refunded = await books.createPaid();
  await client.post(`/v1/payments/${refunded.id}/refunds`, { amount: 3 });
  books.pass(1_000);
  await client.post(`/v1/payments/${refunded.id}/refunds`, { amount: 2 });
  for (const refund of refunded.charge.refunds) refund.status = 'completed';
  const reversed = await books.createPaid();
  returnAtBank(reversed.charge, 400, 'MED_FRAUDE');
  const unmatched = books.receiveElsewhere();
  returnAtBank(unmatched, 100);
  await books.closeDay();
  // The refunds are completed here by now, too.
  await service.app.services.reconciliation.refund(10);
  const { differences, net } = await books.book();
  const orderId = await books.createPayment(7.77);
  await service.app.services.differences.settle(operatorFor(organizationId), {
    id: differences.find(({ kind }) => kind === 'unmatched_pix')?.id,
    resolution: 'assigned',
    paymentId: orderId,
    reason: '=HYPERLINK("http://evil.example")',
  });

  const [header, ...lines] = await linesOf(organizationId, day);
  expect(header?.slice(3, 10)).toEqual([
    'type',
    'at',
    'endToEndId',
    'reference',
    'paymentId',
    'externalId',
    'amount',
  ]);
  const ofPix = (endToEndId = '') => lines.filter((cells) => cells[5] === endToEndId);
  const shown = (endToEndId = '') =>
    ofPix(endToEndId).map((cells) => [cells[3], cells[7], cells[9], cells[11]]);
  expect(shown(refunded.charge.pix[0]?.endToEndId)).toEqual([
    ['received', refunded.id, '10.00', ''],
    ['refund', refunded.id, '-3.00', ''],
    ['refund', refunded.id, '-2.00', ''],
  ]);
  expect(shown(reversed.charge.pix[0]?.endToEndId)).toEqual([
    ['received', reversed.id, '10.00', ''],
    ['reversal', reversed.id, '-4.00', 'med_fraud'],
  ]);
  expect(shown(unmatched.pix[0]?.endToEndId)).toEqual([
    ['received', orderId, '7.77', '"assigned: =HYPERLINK(""http://evil.example"")"'],
    ['refund', orderId, '-1.00', ''],
  ]);
  expect(new Set(lines.filter((cells) => cells[3] !== 'received').map((cells) => cells[6])).size).toBe(4);
  expect(total(amounts(lines))).toBe(Math.round((net ?? NaN) * 100));
});

test('where a list tells of no returns, ours are there', async () => {
  const books = await service.open(['woovi', woovi]);
  const { id, charge } = await books.createPaid();
  await books.client.post(`/v1/payments/${id}/refunds`, { amount: 3 });
  for (const refund of charge.refunds) refund.status = 'completed';
  await books.closeDay();
  await service.app.services.reconciliation.refund(10);
  const [, ...lines] = await linesOf(books.organizationId, books.day);
  expect(amounts(lines)).toEqual([10, -3]);
});

test('the dashboard downloads a file for the spreadsheets of a locale, for members only', async () => {
  const books = await service.open();
  await books.createPaid();
  await books.closeDay();
  const { organizationId, day } = books;
  const viewer = await createPerson(service.app, { organizationId, role: 'viewer' });
  const headers = { Cookie: await signIn(service.app, viewer), 'Sec-Fetch-Site': 'same-origin' };
  const download = (changes: object) => {
    const query = { organization: organizationId, locale: 'pt', from: day, to: day, ...changes };
    const parameters = new URLSearchParams(query as Record<string, string>);
    return fetch(`${service.app.baseUrl}/dashboard/books.csv?${parameters.toString()}`, { headers });
  };
  const response = await download({});
  expect(response.status).toBe(200);
  expect(response.headers.get('content-disposition')).toBe(
    `attachment; filename="conciliacao-${day}-${day}.csv"`,
  );
  const [head, line] = Buffer.from(await response.arrayBuffer())
    .toString()
    .split('\r\n');
  expect(head).toMatch(/^\uFEFFDia;ID da credencial;/);
  expect(line?.split(';').slice(3, 5)).toEqual([
    'received',
    `${day.split('-').toReversed().join('/')} 12:00:00`,
  ]);
  expect(line?.split(';')[9]).toBe('10,00');
  expect((await download({ locale: 'de' })).status).toBe(400);
  expect((await download({ from: '2026-02-30' })).status).toBe(400);
  const other = await service.open();
  expect((await download({ organization: other.organizationId })).status).toBe(403);
});
