import { afterAll, afterEach, beforeAll, expect, test } from '@jest/globals';
import fc from 'fast-check';
import { startTestApp, type TestApp, testKeyRing } from '../support/app.ts';
import { times } from '../support/chance.ts';
import { freshDatabase } from '../support/database.ts';
import { eventually } from '../support/eventually.ts';
import { banks } from '../support/money-model/banks.ts';
import { type MortalService, startMortalService } from '../support/mortal-service.ts';
import { killServices } from '../support/service-process.ts';
import { openShop, type Misbehaviour, type Shop, type ShopPsp, type Step } from '../support/shop.ts';
import { violationsOf } from '../support/shop-violations.ts';

// FAULTS_SEED and FAULTS_RUNS try others; a failure prints its seed.
const seed = Number(process.env['FAULTS_SEED'] ?? 1);
const numRuns = Number(process.env['FAULTS_RUNS'] ?? 1);
const secondsOfOneRun = 90;
const shopCount = times(2, 5);

const psps = banks.flatMap(({ provider, define, takesSeveralPix }): ShopPsp[] =>
  define ? [{ provider, define, takesSeveralPix }] : [],
);

/** Longer than the leases of requests and workers. */
const shortDownSeconds = 31;
/** Longer than a lost request may still be at work at its PSP: what is not found then was never made. */
const longDownSeconds = 121;

let databaseUrl: string;
/** Makes the organizations. */
let operator: TestApp;
let service: MortalService;
const shops: Shop[] = [];

const does = <Word extends string>(word: Word) => fc.constant(word);
const account = fc.nat(1);
const pick = fc.nat(20);
const isDone = fc.boolean();

type Fault = Misbehaviour['faults'][number];

const badAnswer = fc.constantFrom<Fault['kind'][]>('reset', 'error', 'truncate', 'cut', 'redirect');
const often = fc.integer({ min: 1, max: 12 });

const failing = fc.record({
  kind: badAnswer,
  operation: fc.constantFrom<Fault['operation'][]>(
    'create',
    'find',
    'cancel',
    'code',
    'refund',
    'find_refund',
    undefined,
  ),
  isDone,
  times: often,
});

/** A charge or a refund is made, and neither the answer nor the questions about it get through. */
const losing = fc.tuple(badAnswer, often, fc.boolean()).map(([kind, times, isRefund]): Fault[] => [
  { kind, operation: isRefund ? 'refund' : 'create', isDone: true },
  { kind, operation: isRefund ? 'find_refund' : 'find', times },
]);

const refusing = fc.record({
  kind: fc.constantFrom<Fault['kind'][]>('slow', 'busy', 'reject', 'reject_payer', 'reject_credential'),
  operation: fc.constantFrom<Fault['operation'][]>('create', 'find', 'cancel', 'refund', 'find_refund'),
});

const overtaking = fc.constant<Fault>({ kind: 'pay_first', operation: 'create' });

const hanging = isDone.map((done): Fault => ({ kind: 'hang', operation: 'create', isDone: done }));

const alone = (fault: fc.Arbitrary<Fault>): fc.Arbitrary<Fault[]> => fault.map((each) => [each]);

const faults = fc.oneof(
  { weight: 5, arbitrary: alone(failing) },
  { weight: 5, arbitrary: losing },
  { weight: 2, arbitrary: alone(refusing) },
  { weight: 2, arbitrary: alone(overtaking) },
  { weight: 3, arbitrary: alone(hanging) },
);

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 10,
    arbitrary: fc.record({
      does: does('create'),
      order: fc.constantFrom(0, 1, 2, 3, 4, 5, null),
      isAwaited: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ does: does('misbehave'), account, faults }) },
  {
    weight: 6,
    arbitrary: fc.record({
      does: does('pay'),
      pick,
      tell: fc.constantFrom('once', 'twice', 'later', 'never'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: does('cancel'), pick }) },
  { weight: 4, arbitrary: fc.record({ does: does('refund'), pick }) },
  { weight: 1, arbitrary: fc.record({ does: does('refuse connections'), account }) },
  { weight: 2, arbitrary: fc.record({ does: does('recover'), account }) },
  {
    weight: 1,
    arbitrary: fc.record({
      does: does('tell'),
      what: fc.constantFrom('kept back', 'kept back, reversed', 'all again'),
    }),
  },
  { weight: 1, arbitrary: fc.record({ does: does('forge'), pick }) },
);

/** A PSP that hangs costs all the time that the service has for one request: once is enough. */
function withOneHang(steps: readonly Step[]): Step[] {
  const isHang = (each: Step) => each.does === 'misbehave' && each.faults[0]?.kind === 'hang';
  const first = steps.findIndex(isHang);
  return steps.filter((each, index) => !isHang(each) || index === first);
}

const script = fc.record({
  accounts: fc.shuffledSubarray([...psps.keys()], { minLength: 2, maxLength: 2 }),
  steps: fc.array(step, { minLength: 15, maxLength: 25, size: 'max' }).map(withOneHang),
});

/** After how many more steps and requests to PSPs the service is killed, again and again. */
const kills = fc.array(
  fc.record({
    after: fc.integer({ min: 10, max: 300 }),
    downSeconds: fc.constantFrom(shortDownSeconds, shortDownSeconds, longDownSeconds),
  }),
  { minLength: times(2, 3), maxLength: times(2, 5) },
);

async function open(accounts: readonly ShopPsp[]): Promise<Shop> {
  const shop = await openShop(operator, service, accounts);
  shop.moveTo(await service.baseUrl());
  shops.push(shop);
  return shop;
}

async function closeShops(): Promise<void> {
  await Promise.all(shops.splice(0).map((shop) => shop.stop()));
}

async function restart(downSeconds: number): Promise<void> {
  await service.kill(downSeconds);
  const baseUrl = await service.baseUrl();
  for (const shop of shops) shop.moveTo(baseUrl);
}

/** All shops at once in one service, which is killed under their feet. */
async function play(
  scripts: readonly { steps: readonly Step[] }[],
  killed: readonly { after: number; downSeconds: number }[],
) {
  let stepCount = 0;
  let areDone = false;
  const progress = () =>
    shops
      .flatMap(({ accounts }) => accounts)
      .reduce((sum, { emulator }) => sum + emulator.requests.length, stepCount);

  const happen = async () => {
    const playing = scripts.map(async ({ steps }, index) => {
      for (const each of steps) {
        stepCount += 1;
        await shops[index]?.play(each);
      }
    });
    await Promise.all(playing).finally(() => (areDone = true));
  };

  const kill = async () => {
    for (const { after, downSeconds } of killed) {
      const goal = progress() + after;
      await eventually(() => {
        if (!areDone && progress() < goal) throw new Error('it is not time yet');
      }, secondsOfOneRun * 1_000);
      if (!areDone) await restart(downSeconds);
    }
  };

  await Promise.all([happen(), kill()]);
}

/** Nothing fails any more; the two times that the service is down spare the test to wait for leases. */
async function settle(): Promise<void> {
  await Promise.all(shops.map((shop) => shop.recover()));
  await restart(shortDownSeconds);
  await Promise.all(shops.map((shop) => shop.finish()));
  await restart(longDownSeconds);
}

async function expectAllAsItMustBe(): Promise<void> {
  await eventually(async () => {
    await Promise.all(shops.map((shop) => shop.observe()));
    const found = await Promise.all(shops.map((shop) => violationsOf(databaseUrl, shop)));
    expect(found.flatMap((violations, shop) => violations.map((text) => `shop ${shop}: ${text}`))).toEqual(
      [],
    );
  });
}

beforeAll(async () => {
  databaseUrl = await freshDatabase();
  operator = await startTestApp({ DATABASE_URL: databaseUrl, ROLE: 'api' });
  service = await startMortalService(databaseUrl, {
    ENCRYPTION_KEYS: testKeyRing.map(({ id, key }) => `${id}:${key.toString('base64')}`).join(),
  });
});

afterEach(closeShops);

afterAll(async () => {
  await killServices();
  await operator.stop();
});

test(
  'whatever fails and whenever the service is killed, no code is given out twice and no money is lost',
  async () => {
    const scripts = fc.array(script, { minLength: shopCount, maxLength: shopCount });
    await fc.assert(
      fc
        .asyncProperty(scripts, kills, async (played, killed) => {
          for (const { accounts } of played) {
            await open(accounts.flatMap((index) => psps[index] ?? []));
          }
          await play(played, killed);
          await settle();
          await expectAllAsItMustBe();
        })
        .afterEach(closeShops),
      // A sequence cannot be shortened: chance has its part in how it runs.
      { seed, numRuns, endOnFailure: true },
    );
  },
  numRuns * secondsOfOneRun * 1_000,
);

test('a lost charge paid while its payment is still being created is not forgotten', async () => {
  const { accounts, play: happens } = await open(psps.slice(4, 6));
  const [first, second] = accounts.map(({ emulator }) => emulator);
  const lost: Fault[] = [
    { kind: 'reset', operation: 'create', isDone: true },
    { kind: 'error', operation: 'find' },
  ];
  await happens({ does: 'misbehave', account: 0, faults: lost });
  await happens({ does: 'misbehave', account: 1, faults: [{ kind: 'hang', operation: 'create' }] });
  await happens({ does: 'create', order: 0, isAwaited: false });
  await eventually(() => {
    expect(second?.requests).toHaveLength(1);
  });
  await happens({ does: 'pay', pick: 0, tell: 'never' });
  const requestCount = first?.requests.length ?? 0;
  await restart(shortDownSeconds);
  await eventually(() => {
    expect(first?.requests.length).toBeGreaterThan(requestCount);
  });
  await settle();
  await expectAllAsItMustBe();
});
