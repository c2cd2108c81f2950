import { daysLater } from '../due/second-reckoning.ts';
import { createKey } from '../factories.ts';
import { openAccount } from '../live.ts';
import { no } from '../psp-emulator/automatic.ts';
import { receivingAccount } from '../psp-emulator/bacen-automatic.ts';
import { defineBacen } from '../psp-emulator/bacen.ts';
import { bankOf } from './bank-world.ts';
import { at } from './calendar.ts';
import { eventfulDays, type Time } from './eventful-days.ts';
import { type Nodes, openNodes } from './nodes.ts';
import { endOfWorld, nextRunningDay } from './oracle.ts';
import type { Hour, Weather, WorldPlan } from './plans.ts';
import { receiverOf } from './receiver.ts';
import { differencesOf } from './truth.ts';

/** After something went wrong, in minutes: nothing goes wrong any more after the second. */
const recovery: Record<Time, readonly number[]> = {
  '08:00': [1, 2, 4, 13, 60, 100],
  '12:00': [1, 2, 4, 13, 60, 100],
  '21:00': [1, 2, 4, 13],
  // A retry is commanded by 22:00.
  '21:50': [2, 2, 2, 2, 20],
  '23:00': [1, 2, 4, 13],
};

/** Between looks at one that waits for its payer, and then until its first debit is made. */
const untilPermissionIsSeen = [70, 11, 11];
/** Each look tells of one cycle that was missed. */
const untilMissedAreTold = [11, 11, 11, 11];

interface Acts {
  before?: () => Promise<void> | void;
  after?: () => void;
}

/** Plays it. Returns what is wrong about each recurrence afterwards, and at last about the whole. */
export async function playWorld(world: WorldPlan): Promise<string[][]> {
  const nodes = await openNodes();
  try {
    return await play(nodes, world);
  } finally {
    await nodes.stop();
  }
}

async function openBank(nodes: Nodes, organizationId: string, { recurrences }: WorldPlan) {
  const { emulator } = await openAccount(nodes.current, {
    organizationId,
    provider: 'bacen',
    name: 'bank',
    define: defineBacen('standard'),
    now: nodes.now,
    isDefault: true,
    settings: receivingAccount,
  });
  // The bank's own check that a cycle has one debit would hide that ours is missing.
  emulator.switches.turn('severalInCycle', recurrences.length % 2 === 0);
  const payers = emulator.psp.automatic ?? no('the emulator has no payers');
  const { pathname } = new URL(emulator.notifier.address ?? '');
  async function tell(how: Weather['tell']): Promise<void> {
    if (how === 'later') return;
    emulator.notifier.address = new URL(pathname, nodes.current.baseUrl).href;
    await emulator.tellAll(how);
  }
  return { emulator, payers, tell };
}

async function play(nodes: Nodes, world: WorldPlan): Promise<string[][]> {
  nodes.setClock(at(world.firstDay, '09:00'));
  const { organizationId, key } = await createKey(nodes.current.services, { mode: 'live' });
  const { emulator, payers, tell } = await openBank(nodes, organizationId, world);
  const receiver = receiverOf(nodes, key);
  const all = await receiver.create(world, payers);
  const bank = bankOf(payers, all, nodes.now);
  let moment = 0;
  let isTroubled = false;

  async function workAfter(minutes: readonly number[], act = (): void => undefined): Promise<void> {
    for (const each of minutes) {
      nodes.pass(each);
      await nodes.work();
      act();
    }
  }

  async function happen(day: string, time: Time, { before, after }: Acts): Promise<void> {
    nodes.setClock(at(day, time));
    nodes.takeTurns();
    const weather = world.weather[moment++ % world.weather.length];
    if (!weather || nextRunningDay(world, day) !== day) {
      await before?.();
      after?.();
      return;
    }
    for (const each of weather.faults) emulator.faults.add(each);
    await before?.();
    await tell(weather.tell);
    await (weather.dies === undefined ? nodes.work() : nodes.workAndDie(weather.dies));
    after?.();
    await tell(weather.tell);
    const isCalm = weather.faults.length === 0 && weather.dies === undefined;
    if (isCalm) return;
    isTroubled = true;
    const [first = 0, second = 0, ...later] = recovery[time];
    await workAfter([first, second], after);
    emulator.faults.clear();
    await nodes.untilBreakersMayClose();
    await workAfter(later, after);
  }

  /** Nodes that had trouble go on when nothing else happens. */
  async function workAt(day: string, time: string): Promise<void> {
    if (!isTroubled || nextRunningDay(world, day) !== day) return;
    nodes.setClock(at(day, time));
    await nodes.work();
    bank.take();
  }

  async function endThose(day: string, hour: Hour): Promise<void> {
    bank.revoke(hour);
    await receiver.end(world, all, day, hour);
  }

  async function atNoon(day: string): Promise<void> {
    bank.consent();
    await endThose(day, '12:00');
    bank.callOff();
    if (nextRunningDay(world, day) !== day) return;
    for (const each of bank.toStop()) await receiver.stop(each);
    for (const each of bank.toRetry()) await receiver.retry(each);
  }

  async function pass(day: string, times: ReadonlySet<Time>): Promise<void> {
    const isBack = nextRunningDay(world, daysLater(day, -1)) === day;
    if (times.has('08:00')) await happen(day, '08:00', { after: bank.take });
    if (isBack) await workAfter(untilMissedAreTold);
    if (times.has('12:00')) await happen(day, '12:00', { before: () => atNoon(day), after: bank.take });
    if (all.some(({ plan }) => plan.consent?.on === day)) await workAfter(untilPermissionIsSeen, bank.take);
    await workAt(day, '18:00');
    nodes.setClock(at(day, '20:30'));
    bank.settle();
    if (times.has('21:00')) await happen(day, '21:00', { before: () => endThose(day, '21:00') });
    if (times.has('21:50')) await happen(day, '21:50', { after: bank.take });
    if (times.has('23:00')) await happen(day, '23:00', { before: () => endThose(day, '23:00') });
    for (const time of ['01:30', '07:30']) await workAt(daysLater(day, 1), time);
    isTroubled = false;
    emulator.requests.length = 0;
  }

  try {
    for (const [day, times] of eventfulDays(world)) await pass(day, times);
    // What is still under way ends.
    for (const days of [2, 1, 0])
      await pass(daysLater(endOfWorld(world), -days), new Set(['08:00', '21:50'] as const));
    const { databaseUrl } = nodes;
    const client = receiver.client();
    const about = { databaseUrl, organizationId, client, payers, emulator, world, all };
    return [...(await differencesOf(about)), receiver.violations];
  } finally {
    emulator.faults.clear();
    await emulator.stop();
  }
}
