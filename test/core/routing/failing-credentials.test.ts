import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { operatorFor } from '../../../src/core/base/caller.ts';
import { lotOf } from '../../../src/core/routing/routing.ts';
import {
  postponeFailing,
  probedShare,
  probeFailing,
} from '../../../src/core/routing/rules/failing-credentials.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { untilBreakersMayClose } from '../../support/breakers.ts';
import { createClient } from '../../support/client.ts';
import { freshDatabase, query } from '../../support/database.ts';
import { explain, pagesOf } from '../../support/explain.ts';
import { createKey } from '../../support/factories.ts';
import {
  attemptsOf,
  type LiveAccount,
  type LiveOrganization,
  openLiveOrganization,
} from '../../support/live.ts';
import { asaas } from '../../support/psp-emulator/asaas.ts';
import { woovi } from '../../support/psp-emulator/woovi.ts';
import { insertRuleSet } from '../../support/routing.ts';

let clock: Date;
let databaseUrl: string;
let app: TestApp;
let live: LiveOrganization;
let first: LiveAccount;
let second: LiveAccount;

const payer = { name: 'Gumercindo', document: '52998224725' };

beforeAll(async () => {
  clock = new Date();
  databaseUrl = await freshDatabase();
  app = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' }, { now: () => clock });
});

beforeEach(async () => {
  live = await openLiveOrganization(app, () => clock, ['woovi', woovi], ['asaas', asaas]);
  [first, second] = live.accounts as [LiveAccount, LiveAccount];
  await app.services.defaultFallbacks.set(operatorFor(live.organizationId), [second.credentialId]);
});

afterEach(() => live.stop());
afterAll(() => app.stop());

const passSeconds = (seconds: number): void => {
  clock = new Date(clock.getTime() + seconds * 1_000);
};

async function look(): Promise<void> {
  await app.services.callRecorder.flush();
  await app.services.alertWatch.checkNext();
}

/** Answers the id of the payment, even of one that no provider took. */
async function create(body: object = { payer }): Promise<string> {
  passSeconds(1);
  await live.client.post('/v1/payments', { amount: 10, ...body });
  const [newest] = await query<{ id: string }>(
    databaseUrl,
    'SELECT id FROM payment WHERE organization_id = $1 ORDER BY id DESC LIMIT 1',
    [live.organizationId],
  );
  if (!newest) throw new Error('nothing was created');
  // Two in a hundred try a failing provider in its turn all the same.
  return lotOf(`probe ${newest.id}`) < probedShare ? create(body) : newest.id;
}

async function routeOf(body?: object): Promise<string[]> {
  const attempts = await attemptsOf(databaseUrl, await create(body));
  return attempts.map(({ provider, outcome, error }) =>
    [provider, outcome, ...(outcome === 'skipped' ? [error] : [])].join(' '),
  );
}

/** Its provider refuses connections for as long as it takes to be noticed. */
async function goDown({ emulator }: LiveAccount): Promise<void> {
  await emulator.refuseConnections();
  for (let count = 0; count < 6; count++) await create({ credentialId: first.credentialId });
  await look();
}

async function comeBack({ emulator, credentialId }: LiveAccount): Promise<void> {
  await emulator.acceptConnections();
  await untilBreakersMayClose([app]);
  passSeconds(20 * 60);
  await app.services.credentials.check(operatorFor(live.organizationId), credentialId);
  await look();
  passSeconds(61);
  await look();
}

describe('a credential whose provider fails', () => {
  test('comes last while its alert is open, and in its turn again once it has recovered', async () => {
    expect(await routeOf()).toEqual(['woovi created', 'asaas planned']);
    await goDown(first);
    expect(await routeOf()).toEqual(['woovi skipped failing', 'asaas created', 'woovi planned']);
    await comeBack(first);
    expect(await routeOf()).toEqual(['woovi created', 'asaas planned']);
  });

  test('keeps its turn while too little is known of it', async () => {
    await first.emulator.refuseConnections();
    await create({ credentialId: first.credentialId });
    await look();
    expect(await routeOf()).toEqual(['woovi not_sent', 'asaas created']);
  });

  test('is tried all the same where the others take no such payment', async () => {
    await goDown(first);
    expect(await routeOf({})).toEqual(['woovi not_sent', 'asaas skipped payer_incomplete']);
  });

  test('keeps its turn where a payment names it', async () => {
    await goDown(first);
    expect(await routeOf({ credentialId: first.credentialId, payer })).toEqual(['woovi not_sent']);
  });

  test('keeps its turn in test mode, where the sandbox takes every payment', async () => {
    await goDown(first);
    const { key } = await createKey(app.services, { organizationId: live.organizationId });
    const { body } = await createClient(app.baseUrl, key).post('/v1/payments', { amount: 10, payer });
    const attempts = await attemptsOf(databaseUrl, body.id as string);
    expect(attempts.map(({ provider, outcome }) => [provider, outcome])).toEqual([
      ['woovi', 'created'],
      ['asaas', 'planned'],
    ]);
  });

  test('is shown so by the explanation of a rule set', async () => {
    const [woovi, asaas] = [
      { id: first.credentialId, provider: 'woovi' },
      { id: second.credentialId, provider: 'asaas' },
    ];
    const id = await insertRuleSet(databaseUrl, live.organizationId, { default: woovi, fallbacks: [asaas] });
    await goDown(first);
    const caller = operatorFor(live.organizationId);
    const { candidates } = await app.services.ruleSets.explain(caller, id, 10);
    expect(candidates.map(({ provider, skipped }) => [provider, skipped])).toEqual([
      ['woovi', 'failing'],
      ['asaas', null],
      ['woovi', null],
    ]);
    const inTest = await app.services.ruleSets.explain(operatorFor(live.organizationId, 'test'), id, 10);
    expect(inTest.candidates.map(({ provider, skipped }) => [provider, skipped])).toEqual([
      ['woovi', null],
      ['asaas', null],
    ]);
  });
});

test('a payment does not read the alerts that are open about other things', async () => {
  await query(
    databaseUrl,
    `INSERT INTO alert (id, organization_id, mode, kind, severity, subject_id, condition, opened_at)
     SELECT gen_random_uuid(), $1, 'live', 'endpoint_failing', 'warning', gen_random_uuid(), '{}', now()
     FROM generate_series(1, 20000)`,
    [live.organizationId],
  );
  await query(databaseUrl, 'VACUUM ANALYZE alert');
  const plans = await explain(databaseUrl, /default_fallback_credential_ids AS/, () => routeOf());
  expect(pagesOf(plans)).toBeLessThan(50);
});

describe('the order of a payment', () => {
  const step = (credentialId: string, skipped: string | null = null) => ({ credentialId, skipped });

  test('stays as it is where nothing fails, or everything does', () => {
    const steps = [step('a'), step('b', 'disabled'), step('c')];
    expect(postponeFailing(steps, [])).toEqual(steps);
    expect(postponeFailing(steps, ['b'])).toEqual(steps);
    expect(postponeFailing(steps, ['a', 'c'])).toEqual(steps);
  });

  test('ends with those that fail, in their order', () => {
    const steps = [step('a'), step('b'), step('c', 'disabled'), step('d')];
    expect(postponeFailing(steps, ['b', 'a', 'c'])).toEqual([
      step('a', 'failing'),
      step('b', 'failing'),
      step('c', 'disabled'),
      step('d'),
      step('a'),
      step('b'),
    ]);
  });

  test('says of a probe what would otherwise be postponed', () => {
    const steps = ['a', 'b', 'c'].map((id) => ({ ...step(id), reason: 'fallback' as const }));
    const [, b] = steps;
    expect(probeFailing(steps, ['b'])).toEqual([steps[0], { ...b, reason: 'probe' }, steps[2]]);
    for (const failingIds of [[], ['a', 'b', 'c']]) expect(probeFailing(steps, failingIds)).toEqual(steps);
  });

  test('stays for two in a hundred, so that a recovery is seen', () => {
    const ids = Array.from({ length: 100_000 }, (_, index) => `payment ${index}`);
    const kept = ids.filter((id) => lotOf(`probe ${id}`) < probedShare);
    expect(kept.length / ids.length).toBeCloseTo(0.02, 2);
  });
});
