import { randomUUID } from 'node:crypto';
import { request } from 'node:http';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { type Answer, type Client, createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import { createKey } from '../../support/factories.ts';

let databaseUrl: string;
let app: TestApp;
let client: Client;
let organizationId: string;
let apiKey: string;

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl });
});

afterAll(() => app.stop());

beforeEach(async () => {
  const key = await createKey(app.services);
  ({ organizationId, key: apiKey } = key);
  client = createClient(app.baseUrl, key.key);
});

const pdf = Buffer.from('%PDF-1.7\nan invoice\n%%EOF').toString('base64');
const statement = 'O pedido 8841 foi entregue e assinado pelo pagador.';

async function disputed(body: object = {}): Promise<{ paymentId: string; id: string }> {
  const { body: payment } = await client.post('/v1/payments', { amount: 20 });
  await client.post(`/v1/sandbox/payments/${payment.id}/pay`);
  await client.post(`/v1/sandbox/payments/${payment.id}/dispute`, body);
  const { data } = (await client.get('/v1/disputes?open=true')).body as {
    data: { id: string; paymentId: string }[];
  };
  const id = data.find(({ paymentId }) => paymentId === payment.id)?.id ?? '';
  return { paymentId: String(payment.id), id };
}

const refusalOf = ({ headers }: Answer) => headers.get('x-error-code');
const read = async (id: string) => (await client.get(`/v1/disputes/${id}`)).body;
const advance = (by: string) => client.post('/v1/sandbox/clock', { advance: by });
const eventTypes = async () =>
  ((await client.get('/v1/events?limit=100')).body.data as { type: string }[]).map(({ type }) => type);

describe('a list of disputes', () => {
  test('has the earliest deadline first, and those without one last', async () => {
    const none = await disputed();
    const late = await disputed({ defenceHours: 100 });
    const soon = await disputed({ defenceHours: 10 });
    const pages: unknown[] = [];
    let cursor: string | undefined = '';
    while (cursor !== undefined) {
      const { body } = await client.get(`/v1/disputes?open=true&limit=1${cursor ? `&cursor=${cursor}` : ''}`);
      pages.push(...(body.data as { id: string }[]).map(({ id }) => id));
      cursor = body.nextCursor as string | undefined;
    }
    expect(pages).toEqual([soon.id, late.id, none.id]);
    const { body } = await client.get('/v1/disputes');
    expect((body.data as { id: string }[]).map(({ id }) => id)).toEqual([soon.id, late.id, none.id]);
  });

  test('can be of those without an answer alone, with the payment of each over GraphQL', async () => {
    const answered = await disputed({ defenceHours: 24 });
    const later = await disputed({ defenceHours: 72 });
    const sooner = await disputed({ defenceHours: 48 });
    await client.post(`/v1/disputes/${answered.id}/defence`, { statement });
    const listed = async (query: string) =>
      ((await client.get(`/v1/disputes?${query}`)).body.data as { id: string }[]).map(({ id }) => id);
    expect(await listed('unanswered=true')).toEqual([sooner.id, later.id]);
    expect(await listed('open=true')).toEqual([answered.id, sooner.id, later.id]);
    expect(await listed('unanswered=false')).toHaveLength(3);
    const { body } = await client.graphql(
      '{ disputes(unanswered: true) { edges { node { id payment { id } } } } }',
    );
    expect(body.data).toMatchObject({
      disputes: {
        edges: [sooner, later].map(({ id, paymentId }) => ({ node: { id, payment: { id: paymentId } } })),
      },
    });
  });

  test.each([
    ['unanswered', { defenceHours: 24 }],
    ['open', { defenceHours: 24 }],
    ['unanswered', {}],
  ])('loses none of those %s if the last of a page leaves them meanwhile (%j)', async (which, body) => {
    const all = [await disputed(body), await disputed(body), await disputed(body), await disputed(body)];
    const pageOf = async (more: string) =>
      (await client.get(`/v1/disputes?${which}=true&limit=2${more}`)).body as {
        data: { id: string }[];
        nextCursor?: string;
      };
    const first = await pageOf('');
    const last = all.find(({ id }) => id === first.data[1]?.id);
    if (which === 'open')
      await client.post(`/v1/sandbox/payments/${last?.paymentId}/dispute/close`, { outcome: 'won' });
    else await client.post(`/v1/disputes/${last?.id}/defence`, { statement });
    const second = await pageOf(`&cursor=${first.nextCursor}`);
    expect([...first.data, ...second.data].map(({ id }) => id).toSorted()).toEqual(
      all.map(({ id }) => id).toSorted(),
    );
  });

  test('refuses what it does not know', async () => {
    expect(await client.get('/v1/disputes?open=maybe')).toMatchObject({
      status: 400,
      body: { message: 'open must be true or false' },
    });
    expect(await client.get('/v1/disputes?cursor=x')).toMatchObject({ status: 400 });
  });

  test('has none of another organization', async () => {
    const { id } = await disputed();
    const other = createClient(app.baseUrl, (await createKey(app.services)).key);
    expect((await other.get('/v1/disputes')).body).toEqual({ data: [] });
    expect(await other.get(`/v1/disputes/${id}`)).toMatchObject({ status: 404 });
    expect(await other.post(`/v1/disputes/${id}/accept`)).toMatchObject({ status: 404 });
    expect(await other.post(`/v1/disputes/${id}/defence`, { statement })).toMatchObject({ status: 404 });
  });
});

describe('a defence', () => {
  test('is refused, losing nothing, where it breaks a rule, which is named', async () => {
    const { id } = await disputed();
    const defend = async (body: object) =>
      (await client.post(`/v1/disputes/${id}/defence`, body)).body.message;
    expect(await defend({})).toBe('statement is required');
    expect(await defend({ statement: ' ' })).toBe('statement must not be empty');
    expect(await defend({ statement: 'x'.repeat(1_001) })).toBe('statement must be at most 1000 characters');
    const documents = [
      { name: 'nota.pdf', content: Buffer.from('<svg onload=alert(1)>').toString('base64') },
    ];
    expect(await defend({ statement, documents })).toBe(
      'documents.0.content must be a whole PDF, PNG or JPEG',
    );
    expect(await defend({ statement, documents: [{ name: 'a', content: 'no base64!' }] })).toBe(
      'documents.0.content must be base64',
    );
    const six = Array.from({ length: 6 }, () => ({ name: 'nota', content: pdf }));
    expect(await defend({ statement, documents: six })).toBe('documents must be at most 5 documents');
    const large = Buffer.concat([Buffer.from('%PDF-%%EOF'), Buffer.alloc(5_000_000)]).toString('base64');
    const two = [1, 2].map(() => ({ name: 'nota', content: large }));
    expect(await defend({ statement, documents: two })).toBe(
      'documents must be at most 10000000 bytes together',
    );
    expect(await read(id)).not.toHaveProperty('answer');
  });

  test.each([
    ['PDF', '%PDF-1.7\nhalf of an invoice'],
    ['PNG', '\x89PNG\r\n\x1a\n<script>'],
    ['JPEG', '\xff\xd8\xff\xe0half'],
  ])('is refused with half of a %s, as there is no second one', async (_, half) => {
    const { id } = await disputed();
    const documents = [{ name: 'nota', content: Buffer.from(half, 'latin1').toString('base64') }];
    expect((await client.post(`/v1/disputes/${id}/defence`, { statement, documents })).body).toMatchObject({
      message: 'documents.0.content must be a whole PDF, PNG or JPEG',
    });
  });

  test('reaches the provider with its documents, which can be read again and are sealed', async () => {
    const { id } = await disputed({ defenceHours: 72 });
    const documents = [{ name: '../../nota.html', content: pdf }];
    const defended = await client.post(`/v1/disputes/${id}/defence`, { statement, documents });
    expect(defended).toMatchObject({
      status: 200,
      body: {
        state: 'open',
        answer: 'defence',
        answerStatus: 'sent',
        statement,
        documents: [{ name: '../../nota.html', mediaType: 'application/pdf', bytes: 25 }],
      },
    });
    const [document] = defended.body.documents as { id: string }[];
    expect(await client.get(`/v1/disputes/${id}/documents/${document?.id}`)).toMatchObject({
      status: 200,
      body: { content: pdf },
    });
    expect(await client.get(`/v1/disputes/${id}/documents/${randomUUID()}`)).toMatchObject({ status: 404 });
    const stored = JSON.stringify(
      await query(
        databaseUrl,
        `SELECT sealed_statement, sealed_content, name FROM dispute JOIN dispute_document ON dispute_id = dispute.id
         WHERE dispute.id = '${id}'`,
      ),
    );
    expect(stored).not.toMatch(/8841|nota/);
    expect(stored).not.toContain(pdf);
  });

  test('is given once', async () => {
    const { id } = await disputed();
    await client.post(`/v1/disputes/${id}/defence`, { statement });
    expect(refusalOf(await client.post(`/v1/disputes/${id}/defence`, { statement: 'again' }))).toBe(
      'dispute_answered',
    );
    expect(await client.post(`/v1/disputes/${id}/accept`)).toMatchObject({ status: 409 });
  });

  test('is one answer, however many are given at once', async () => {
    const { id } = await disputed();
    const answers = await Promise.all([
      client.post(`/v1/disputes/${id}/defence`, { statement }),
      client.post(`/v1/disputes/${id}/defence`, { statement }),
      ...Array.from({ length: 4 }, () => client.post(`/v1/disputes/${id}/accept`)),
    ]);
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 409)).toHaveLength(5);
  });

  test('is given in the time of the test clock, as all else of the dispute', async () => {
    await advance('P10D');
    const { id } = await disputed({ defenceHours: 72 });
    await client.post(`/v1/disputes/${id}/defence`, { statement });
    const { openedAt, createdAt, answeredAt, defenceUntil } = await read(id);
    const times = [openedAt, createdAt, answeredAt, defenceUntil].map(String);
    expect(times).toEqual(times.toSorted());
    expect(Date.parse(String(answeredAt)) - Date.now()).toBeGreaterThan(9 * 86_400_000);
  });

  test('that is repeated with its key is the same defence', async () => {
    const { id } = await disputed();
    const headers = { 'Idempotency-Key': randomUUID() };
    const body = { statement, documents: [{ name: 'nota', content: pdf }] };
    const first = await client.post(`/v1/disputes/${id}/defence`, body, headers);
    const again = await client.post(`/v1/disputes/${id}/defence`, body, headers);
    expect([again.status, again.headers.get('idempotency-replayed')]).toEqual([200, 'true']);
    expect(again.body).toEqual(first.body);
    expect(
      await client.post(`/v1/disputes/${id}/defence`, { ...body, statement: 'other' }, headers),
    ).toMatchObject({ status: 422 });
    const kept = await query(databaseUrl, 'SELECT outcome::text FROM idempotency_key WHERE subject_id = $1', [
      id,
    ]);
    expect(JSON.stringify(kept)).not.toMatch(/8841|nota/);
  });

  test('that is repeated with its key after the end shows the end', async () => {
    const { id, paymentId } = await disputed();
    const headers = { 'Idempotency-Key': randomUUID() };
    await client.post(`/v1/disputes/${id}/defence`, { statement }, headers);
    await client.post(`/v1/sandbox/payments/${paymentId}/dispute/close`, { outcome: 'won' });
    const again = await client.post(`/v1/disputes/${id}/defence`, { statement }, headers);
    expect([again.status, again.body.state]).toEqual([200, 'won']);
  });

  test('can decide the dispute, whose payment then goes on', async () => {
    const won = await disputed({ afterDefence: 'won' });
    expect((await client.post(`/v1/disputes/${won.id}/defence`, { statement })).body).toMatchObject({
      state: 'won',
    });
    expect((await client.get(`/v1/payments/${won.paymentId}`)).body).not.toHaveProperty('disputed');
    const lost = await disputed({ afterDefence: 'lost' });
    expect((await client.post(`/v1/disputes/${lost.id}/defence`, { statement })).body).toMatchObject({
      state: 'lost',
    });
    expect((await client.get(`/v1/payments/${lost.paymentId}`)).body).toMatchObject({ status: 'refunded' });
  });

  test('that is sent slowly holds up no other organization', async () => {
    const { id } = await disputed();
    const slow = client;
    const headers = { 'X-API-Key': apiKey, 'Content-Type': 'application/json', 'Content-Length': 2_000_000 };
    // It may come while a large one of ours is read, and is refused itself then.
    const begin = () => {
      const begun = request(`${app.baseUrl}/v1/disputes/${id}/defence`, { method: 'POST', headers });
      begun.on('error', () => undefined);
      begun.on('response', () => {
        sending = begin();
      });
      begun.write('{');
      return begun;
    };
    let sending = begin();
    const large = Buffer.concat([Buffer.from('%PDF-'), Buffer.alloc(1_000_000), Buffer.from('%%EOF')]);
    const body = { statement, documents: [{ name: 'nota', content: large.toString('base64') }] };
    await eventually(async () => {
      expect(await slow.post(`/v1/disputes/${randomUUID()}/defence`, body)).toMatchObject({ status: 503 });
    });
    const other = await createKey(app.services);
    client = createClient(app.baseUrl, other.key);
    const { id: theirs } = await disputed();
    expect(await client.post(`/v1/disputes/${theirs}/defence`, body)).toMatchObject({ status: 200 });
    sending.destroy();
  });

  test('needs a key that may move money', async () => {
    const { id } = await disputed();
    const weak = await createKey(app.services, { organizationId, permissions: ['payments:create'] });
    const other = createClient(app.baseUrl, weak.key);
    for (const what of ['defence', 'accept'])
      expect(await other.post(`/v1/disputes/${id}/${what}`, { statement })).toMatchObject({ status: 403 });
  });
});

describe('an acceptance', () => {
  test('gives the money back and closes the dispute', async () => {
    const { id, paymentId } = await disputed();
    expect(await client.post(`/v1/disputes/${id}/accept`)).toMatchObject({
      status: 200,
      body: { state: 'lost', answer: 'acceptance', answerStatus: 'sent' },
    });
    expect((await client.get(`/v1/payments/${paymentId}`)).body).toMatchObject({
      status: 'refunded',
      amountReversed: 20,
    });
    expect(refusalOf(await client.post(`/v1/disputes/${id}/accept`))).toBe('dispute_not_open');
  });
});

describe('the deadline of a dispute', () => {
  test('is reminded of 48, 24 and 6 hours before', async () => {
    const { id } = await disputed({ defenceHours: 72 });
    const reminders: number[] = [];
    for (let hour = 1; hour <= 71; hour += 1) {
      const before = (await eventTypes()).length;
      await advance('PT1H');
      if ((await eventTypes()).length > before) reminders.push(72 - hour);
    }
    expect(reminders).toEqual([48, 24, 6]);
    const events = (await client.get('/v1/events?limit=100')).body.data as {
      type: string;
      dispute?: object;
    }[];
    expect(events.at(-1)).toMatchObject({ type: 'payment_dispute_deadline', dispute: { id, state: 'open' } });
  });

  test('is not reminded of once the dispute is answered', async () => {
    const { id } = await disputed({ defenceHours: 72 });
    await client.post(`/v1/disputes/${id}/defence`, { statement });
    await advance('PT71H');
    expect(await eventTypes()).not.toContain('payment_dispute_deadline');
  });

  test('once passed leaves no answer, and in the sandbox the dispute is lost', async () => {
    const { id, paymentId } = await disputed({ defenceHours: 10 });
    await advance('PT11H');
    expect(await read(id)).toMatchObject({ state: 'lost' });
    expect(refusalOf(await client.post(`/v1/disputes/${id}/defence`, { statement }))).toBe(
      'dispute_not_open',
    );
    expect((await client.get(`/v1/payments/${paymentId}`)).body).toMatchObject({ status: 'refunded' });
    expect((await eventTypes()).slice(-3)).toEqual([
      'payment_reversed',
      'payment_dispute_closed',
      'payment_refunded',
    ]);
  });

  test('takes statement and documents with it 90 days after the end, by the test clock', async () => {
    const { id } = await disputed({ afterDefence: 'won' });
    await client.post(`/v1/disputes/${id}/defence`, {
      statement,
      documents: [{ name: 'nota', content: pdf }],
    });
    await advance('P89D');
    expect(await read(id)).toMatchObject({ state: 'won', statement, documents: [{ name: 'nota' }] });
    await advance('P2D');
    const after = await read(id);
    expect(after).toMatchObject({ answer: 'defence', documents: [] });
    expect(after).not.toHaveProperty('statement');
    const rows = await query(
      databaseUrl,
      'SELECT count(*)::int AS left FROM dispute_document WHERE dispute_id = $1',
      [id],
    );
    expect(rows).toEqual([{ left: 0 }]);
    expect(
      await query(databaseUrl, 'SELECT sealed_statement, next_check_at FROM dispute WHERE id = $1', [id]),
    ).toEqual([{ sealed_statement: null, next_check_at: null }]);
  });

  test('keeps the defence of a dispute that was opened again before the 90 days', async () => {
    const { id, paymentId } = await disputed({ afterDefence: 'won' });
    await client.post(`/v1/disputes/${id}/defence`, { statement });
    await advance('P80D');
    await query(databaseUrl, `UPDATE dispute SET state = 'open', closed_at = NULL WHERE payment_id = $1`, [
      paymentId,
    ]);
    await advance('P20D');
    expect(await read(id)).toMatchObject({ state: 'open', statement });
  });
});
