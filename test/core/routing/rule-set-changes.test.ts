import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from '@jest/globals';
import { type OperatorCaller, operatorFor } from '../../../src/core/base/caller.ts';
import { startTestApp, type TestApp } from '../../support/app.ts';
import { createClient } from '../../support/client.ts';
import { createKey } from '../../support/factories.ts';
import { attemptsOf, insertCredential, type TestCredential } from '../../support/routing.ts';

let app: TestApp;
let caller: OperatorCaller;
let first: TestCredential;
let second: TestCredential;

beforeAll(async () => {
  app = await startTestApp({ ROLE: 'api' });
});

beforeEach(async () => {
  caller = operatorFor((await app.services.organizations.create(`Test ${randomUUID()}`)).id, 'test');
  first = await insertCredential(app.databaseUrl, caller.organizationId, { provider: 'woovi' });
  second = await insertCredential(app.databaseUrl, caller.organizationId, { provider: 'asaas' });
});

afterAll(() => app.stop());

const everything = (credentialId: string) => ({
  ranges: [{ from: 0.01, to: 9_999_999_999.99, credentialId }],
  defaultCredentialId: null,
  fallbackCredentialIds: [] as string[],
});

const create = (rules: unknown) => app.services.ruleSets.create(caller, 'Main', rules);

const update = (id: string, rules: unknown, name?: string) =>
  app.services.ruleSets.update(caller, id, { name, rules });

const updates = async () =>
  (await app.services.audit.list(caller, { limit: 20, cursor: undefined })).data.filter(
    ({ action }) => action === 'rule_set.update',
  );

describe('a change is refused', () => {
  test.each<[name: string, rules: unknown, message: string]>([
    ['is no object', null, 'rules must be a JSON object'],
    ['has an unknown member', { colour: 'blue' }, 'rules has unknown members: colour'],
    [
      'has 101 ranges and fallbacks',
      {
        ranges: Array.from({ length: 101 }, () => ({ from: 1, to: 2, credentialId: randomUUID() })),
        fallbackCredentialIds: Array.from({ length: 101 }, () => randomUUID()),
      },
      'ranges must have at most 100 entries; fallbackCredentialIds must have at most 100 entries',
    ],
    ['names nothing', { defaultCredentialId: 'main' }, 'defaultCredentialId must be a UUID'],
  ])('that %s, and nothing is changed', async (_name, rules, message) => {
    const before = await create(everything(first.id));
    await expect(update(before.id, rules, 'Renamed')).rejects.toThrow(message);
    expect(await app.services.ruleSets.list(caller)).toEqual([before]);
    expect(await updates()).toEqual([]);
  });

  test("that names another organization's credential, or is for an unknown rule set", async () => {
    const { organizationId } = await createKey(app.services);
    const theirs = await insertCredential(app.databaseUrl, organizationId, { provider: 'woovi' });
    const { id } = await create({});
    await expect(update(id, everything(theirs.id))).rejects.toThrow(
      `names credential ${theirs.id}, which does not exist in this organization`,
    );
    for (const missing of [randomUUID(), 'main']) {
      await expect(update(missing, {})).rejects.toThrow(`RuleSet ${missing} was not found`);
    }
    const stranger = operatorFor(organizationId, 'test');
    await expect(app.services.ruleSets.update(stranger, id, { rules: {} })).rejects.toThrow('was not found');
    await expect(update(id, undefined)).rejects.toThrow('give a name, rules or both');
    await expect(update(id, undefined, ' ')).rejects.toThrow('name must be 1 to 200 characters');
  });
});

describe('a change', () => {
  test('replaces all rules, warns like create, and is logged together with the old ones', async () => {
    const { id } = await create({ ...everything(first.id), fallbackCredentialIds: [second.id] });
    const rules = { ranges: [{ from: 10, to: 20, credentialId: second.id }] };
    const changed = await update(id, rules, 'By amount');
    expect(changed).toMatchObject({ id, name: 'By amount', ...rules, fallbackCredentialIds: [] });
    expect(changed.warnings.map(({ kind }) => kind)).toEqual(['gap', 'gap']);
    expect(await app.services.ruleSets.list(caller)).toEqual([changed]);
    const none = { when: [], split: [], prefer: null };
    expect((await updates()).map(({ subject, details }) => ({ subject, ...details }))).toEqual([
      {
        subject: id,
        mode: 'test',
        name: 'Main',
        from: { name: 'Main', ...none, ...everything(first.id), fallbackCredentialIds: [second.id] },
        to: { name: 'By amount', ...none, ...rules, defaultCredentialId: null, fallbackCredentialIds: [] },
      },
    ]);
  });

  test('may name credentials in upper case', async () => {
    const { id } = await create(everything(first.id.toUpperCase()));
    expect(await update(id, everything(second.id.toUpperCase()))).toMatchObject(everything(second.id));
  });

  test('of the name alone keeps the rules', async () => {
    const before = await create(everything(first.id));
    expect(await update(before.id, undefined, 'Renamed')).toEqual({ ...before, name: 'Renamed' });
  });

  test('applies to the next payment, and leaves earlier ones alone', async () => {
    const { key } = await createKey(app.services, { organizationId: caller.organizationId });
    const client = createClient(app.baseUrl, key);
    const { id: ruleSetId } = await create(everything(first.id));
    const payer = { name: 'Fulano', document: '52998224725' };
    const pay = async () => (await client.post('/v1/payments', { amount: 5, ruleSetId, payer })).status;
    expect(await pay()).toBe(201);
    await update(ruleSetId, everything(second.id));
    expect(await pay()).toBe(201);
    expect((await attemptsOf(app.databaseUrl, caller.organizationId)).map((each) => each.provider)).toEqual([
      'woovi',
      'asaas',
    ]);
  });

  test('is read as a whole, and of concurrent ones the last wins, each logged with what it replaced', async () => {
    const { id } = await create({ ...everything(first.id), defaultCredentialId: first.id });
    const ofOne = ({ id: credentialId }: TestCredential) => ({
      ...everything(credentialId),
      defaultCredentialId: credentialId,
      fallbackCredentialIds: [credentialId],
    });
    let isOver = false;
    const changes = (async () => {
      for (let round = 0; round < 10; round++) {
        await Promise.all([update(id, ofOne(first)), update(id, ofOne(second))]);
      }
      isOver = true;
    })();
    while (!isOver) {
      const { candidates } = await app.services.ruleSets.explain(caller, id, 5);
      expect(candidates).toHaveLength(1);
    }
    await changes;
    const [listed] = await app.services.ruleSets.list(caller);
    const log = (await updates()).map(({ details }) => details);
    expect(log).toHaveLength(20);
    const rulesOf = (entry: unknown) => (entry as { defaultCredentialId: string }).defaultCredentialId;
    const chain = log.toReversed();
    // Entries of one millisecond have no order: what each found is what another one left.
    const found = chain.map(({ from }) => rulesOf(from)).toSorted();
    const left = [first.id, ...chain.map(({ to }) => rulesOf(to))];
    left.splice(left.lastIndexOf(listed?.defaultCredentialId ?? ''), 1);
    expect(found).toEqual(left.toSorted());
  });
});

describe('in live mode', () => {
  test('a sandbox credential is skipped by explain with a warning, as routing skips it', async () => {
    const account = { provider: 'sandbox', name: 'Sandbox', settings: {}, isDefault: false };
    const { id: sandbox } = await app.services.credentials.create(caller, account);
    const { id, warnings } = await create(everything(sandbox));
    expect(warnings).toEqual([]);
    const live = operatorFor(caller.organizationId, 'live');
    const [listed] = await app.services.ruleSets.list(live);
    expect(listed?.warnings).toEqual([
      { kind: 'gap', message: 'no enabled credential takes 0.01 to 9999999999.99' },
      {
        kind: 'sandbox_only',
        message: `credential ${sandbox} is the sandbox, which takes test payments only, and will be skipped`,
      },
    ]);
    const skippedBy = async (who: OperatorCaller) =>
      (await app.services.ruleSets.explain(who, id, 5)).candidates.map(({ skipped }) => skipped);
    expect([await skippedBy(live), await skippedBy(caller)]).toEqual([['sandbox_only'], [null]]);
    const { key } = await createKey(app.services, { organizationId: caller.organizationId, mode: 'live' });
    const answer = await createClient(app.baseUrl, key).post('/v1/payments', { amount: 5, ruleSetId: id });
    expect(answer.status).toBe(400);
  });
});
