import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { query } from '../../support/database.ts';
import { eventually } from '../../support/eventually.ts';
import {
  attemptsOf,
  type LiveAccount,
  type LiveOrganization,
  openLiveOrganization,
} from '../../support/live.ts';
import { defineBacen } from '../../support/psp-emulator/bacen.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';

let app: TestApp;
let live: LiveOrganization;
let first: LiveAccount;
let second: LiveAccount;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

beforeEach(async () => {
  const now = () => new Date();
  live = await openLiveOrganization(app, now, ['woovi', woovi], ['bacen', defineBacen('standard')]);
  [first, second] = live.accounts as [LiveAccount, LiveAccount];
  await app.services.defaultFallbacks.set(operatorFor(live.organizationId), [second.credentialId]);
});

afterEach(() => live.stop());
afterAll(() => app.stop());

const create = () => live.client.post('/v1/payments', { amount: 10 }, { 'Idempotency-Key': 'order-1' });

const disable = ({ credentialId }: LiveAccount) =>
  app.services.credentials.setEnabled(operatorFor(live.organizationId), credentialId, false);

const outcomes = async () => {
  const text = 'SELECT id FROM payment WHERE organization_id = $1';
  const [payment] = await query<{ id: string }>(app.databaseUrl, text, [live.organizationId]);
  const attempts = await attemptsOf(app.databaseUrl, payment?.id ?? '');
  return attempts.map(({ provider, outcome }) => `${provider} ${outcome}`);
};

test('a credential that is disabled while another one is tried gets no charge', async () => {
  first.emulator.faults.add({ kind: 'hang', operation: 'create' });
  const answering = create();
  await eventually(() => expect(first.emulator.inFlight()).toBe(1));
  await disable(second);
  await first.emulator.refuseConnections();
  expect((await answering).status).toBe(500);
  expect(second.emulator.ledger.charges).toEqual([]);
  expect(await outcomes()).toEqual(['woovi unknown', 'bacen not_sent']);
});

test('a create that is taken over leaves a credential that was disabled meanwhile', async () => {
  first.emulator.faults.add({ kind: 'hang', operation: 'create', isDone: true });
  const answering = create();
  await eventually(() => expect(first.emulator.ledger.charges).toHaveLength(1));
  await disable(first);
  const text = 'UPDATE idempotency_key SET locked_until = now() WHERE organization_id = $1';
  await query(app.databaseUrl, text, [live.organizationId]);
  const { status, body } = await create();
  expect(status).toBe(201);
  expect(await outcomes()).toEqual(['woovi unknown', 'bacen created']);
  await first.emulator.refuseConnections();
  expect((await answering).body).toEqual(body);
});
