// Ten days of a busy shop, in which the clock is moved from hour to hour.
import { setTimeout as delay } from 'node:timers/promises';
import { buildRelease, findRelease } from '../test/support/upgrade/release.ts';
import { print } from './parts.ts';
import { dayMs, moveTo, underOwnClock } from './ten-days/clock.ts';
import { type Fault, faultsOf, hourMs } from './ten-days/faults.ts';
import { startMachines } from './ten-days/machines.ts';
import {
  alertTable,
  attemptTable,
  dayTable,
  type Day,
  failedCallTable,
  measure,
  tableSizes,
} from './ten-days/report.ts';
import { openTrade } from './ten-days/trade.ts';
import { mistakes } from './ten-days/verify.ts';

const release = findRelease();
if (!release) throw new Error('this clone has no earlier release (git fetch --tags --unshallow)');
// Under the other clock it would take far longer.
const directory = await buildRelease(release);
underOwnClock();

const lastDay = Number(process.env['DAYS'] ?? 10);
/** How far the clock is moved at a time when nothing is wrong. */
const stepHours = Number(process.env['STEP_HOURS'] ?? 1);
/** Orders of each hour in Brasília. */
const ordersByHour = [4, 2, 2, 2, 2, 2, 4, 8, 12, 16, 20, 24, 24, 20, 20, 20, 24, 24, 28, 32, 32, 28, 16, 8];
const midnight = new Date(Math.round(Date.now() / hourMs) * hourMs);
const at = (day: number, hour: number, minute = 0) =>
  new Date(midnight.getTime() + (day - 1) * dayMs + hour * hourMs + minute * 60_000);

const machines = await startMachines(directory, 7 + 9 / 24);
const trade = openTrade(machines);
const faults = faultsOf(machines, trade).filter(({ day }) => day <= lastDay);
const days: Day[] = [];
const said = (text: string) =>
  print(`${new Date(Date.now() - 3 * hourMs).toISOString().slice(5, 16)} ${text}`);

try {
  for (let day = 1; day <= lastDay; day += 1) {
    trade.statuses.clear();
    for (let hour = 0; hour < 24; hour += 1) {
      const fault = faults.find((each) => each.day === day && each.hour === hour);
      if (!fault && hour % stepHours !== 0) continue;
      moveTo(at(day, hour));
      const orders = ordersByHour[hour] ?? 0;
      if (hour === 0) await machines.backUp().catch((error: unknown) => said(`no backup: ${String(error)}`));
      if (fault) hour += await suffer(fault, orders);
      else await trade.hour(orders);
    }
    days.push(await measure(day, machines, trade));
    print(...dayTable(days).slice(-1));
  }
  // Codes expire, books are read, what has failed is sent again, and nobody orders any more.
  let found: string[] = [];
  for (let hour = 0; hour <= 72 && (hour < 30 || found.length > 0); hour += 6) {
    moveTo(at(lastDay + 1, hour));
    await trade.hour(0);
    await delay(2_000);
    if (hour >= 24) found = await mistakes(machines, trade);
  }
  print(
    '',
    ...dayTable(days),
    '',
    ...(await tableSizes(machines)),
    '',
    ...(await attemptTable(machines)),
    '',
    ...(await failedCallTable(machines, at(1, 0))),
    '',
    ...alertTable(machines, at(1, 0)),
    '',
  );
  for (const { day, hour, name, log } of faults) print(`day ${day} ${hour}:00 ${name}: ${log.join('; ')}`);
  print(`${trade.acknowledged.size} payments acknowledged, ${trade.refunds} refunds`);
  print(found.length === 0 ? 'Nothing is lost, doubled or stuck.' : found.join('\n'));
  process.exitCode = found.length === 0 ? 0 : 1;
} finally {
  await trade.stop();
  await machines.stop();
}

/** Goes on in small steps until a while after it; answers how many more hours have passed. */
async function suffer(fault: Fault, orders: number): Promise<number> {
  const { day, hour, minutes, stepMinutes = 15 } = fault;
  said(`begins: ${fault.name}`);
  const whole = Math.ceil((minutes + 20) / 60);
  const some = Math.max(6, Math.ceil((orders * stepMinutes) / 60));
  let isOver = false;
  for (let minute = 0; minute <= minutes + stepMinutes; minute += stepMinutes) {
    moveTo(at(day, hour, minute));
    if (minute === 0) await Promise.all([trade.hour(some), note(fault, fault.begin)]);
    else if (minute >= minutes && !isOver) {
      isOver = true;
      await Promise.all([trade.hour(some), note(fault, fault.end)]);
      said(`over: ${fault.name}`);
    } else await trade.hour(some);
  }
  return whole - 1;
}

async function note({ log }: Fault, work: (() => Promise<string | void>) | undefined): Promise<void> {
  const told = await work?.().catch((error: unknown) => `failed: ${String(error)}`);
  if (!told) return;
  log.push(told);
  said(told);
}
