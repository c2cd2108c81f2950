// npm run attack -- --minutes 10 --payments 1500000 --behind-nginx: one node, everything that a key, a person or a provider can
// send to it, and a tenant beside them that must not notice.
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { constants, cpus, setPriority } from 'node:os';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import type { AttackFigures, AttackOrders } from './attackers.ts';
import type { BystanderFigures, BystanderOrders } from './bystander.ts';
import { createCredential, createKeys, setScene } from './scene.ts';
import { openStage, project } from './stage.ts';

const { values } = parseArgs({
  options: {
    minutes: { type: 'string', default: '10' },
    payments: { type: 'string', default: '1500000' },
    only: { type: 'string', default: '' },
    'behind-nginx': { type: 'boolean', default: false },
  },
});
const seconds = Number(values.minutes) * 60;
const limitPerMinute = 100;
const warmUpSeconds = 20;
const bounds = { residentMegabytes: 400, p99Ms: 1_000 };

const say = (line: string) => void process.stdout.write(`${line}\n`);

const start = (file: string): ChildProcess =>
  fork(join(project, 'test/attack', file), {
    cwd: project,
    execArgv: ['--import', './test/support/typescript.js', '--max-old-space-size=2048'],
  });

async function message<T>(child: ChildProcess): Promise<T> {
  const exited = once(child, 'exit').then(() => {
    throw new Error('a process of the campaign ended too early');
  });
  const [received] = (await Promise.race([once(child, 'message'), exited])) as [T];
  return received;
}

async function residentMegabytes(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}

/** Half of them to create, so that looking at payments leaves those alone. */
const bystanderKeys = 20;

const stage = await openStage({ behindNginx: values['behind-nginx'] });
say('The scene is set: this takes a minute or two.');
const generous = await stage.startNode(1_000_000_000);
const attackers = await setScene(stage, Number(values.payments));
const bystander = start('bystander.ts');
const { settings } = await message<{ settings: object }>(bystander);
const { id: organizationId } = await stage.pix<{ id: string }>('org', 'create', '--name', 'Bystander');
const { notificationUrl } = await createCredential(stage, organizationId, 'woovi', settings, '--default');
const keys = await createKeys(stage, organizationId, 'live', bystanderKeys);
await generous.stop();

const node = await stage.startNode(limitPerMinute);
let peakMegabytes = 0;
const sampling = setInterval(() => {
  void residentMegabytes(node.pid).then((megabytes) => (peakMegabytes = Math.max(peakMegabytes, megabytes)));
}, 250);

say(`${seconds} s of attacks begin.`);
const crowd = start('attackers.ts');
// They have machines of their own: on this one they come after the node.
if (crowd.pid !== undefined) setPriority(crowd.pid, constants.priority.PRIORITY_LOW);
const bystanderOrders: BystanderOrders = {
  baseUrl: stage.baseUrl,
  keys,
  notificationUrl,
  warmUpSeconds,
  seconds,
};
const attackOrders: AttackOrders = { attackers, seconds, only: values.only };
bystander.send(bystanderOrders);
await delay(warmUpSeconds * 1_000);
crowd.send(attackOrders);
const [figures, met] = await Promise.all([
  message<BystanderFigures>(bystander),
  message<AttackFigures>(crowd),
]);
clearInterval(sampling);
const survived = node.isAlive();

const verdicts: [claim: string, holds: boolean][] = [
  ['the node was not restarted', survived],
  [
    `memory stayed under ${bounds.residentMegabytes} MB (${peakMegabytes} MB)`,
    peakMegabytes < bounds.residentMegabytes,
  ],
  [
    `every create of the other tenant succeeded (${figures.failures.length} of ${figures.creates} failed)`,
    figures.creates > 0 && figures.failures.length === 0,
  ],
  [`their p99 stayed under ${bounds.p99Ms} ms (${figures.p99Ms} ms)`, figures.p99Ms < bounds.p99Ms],
  [`every Pix was confirmed (${figures.unconfirmed} of ${figures.paid} were not)`, figures.unconfirmed === 0],
];

say(
  `${cpus()[0]?.model}, ${cpus().length} cores, Node ${process.version}, ${values.payments} payments${values['behind-nginx'] ? ', behind nginx' : ''}`,
);
say('');
say('| attack | rounds | what they met |');
say('| --- | ---: | --- |');
for (const [name, { rounds, met: outcomes }] of Object.entries(met)) {
  const counted = Object.entries(outcomes).map(([outcome, count]) => `${outcome}: ${count}`);
  say(`| ${name} | ${rounds} | ${counted.join(', ')} |`);
}
say('');
say(
  `Creates of the other tenant: ${figures.creates}, p50 ${figures.p50Ms} ms, p99 ${figures.p99Ms} ms, at most ${figures.maximumMs} ms; ` +
    `a notified Pix was known after ${figures.notifiedP99Ms} ms (p99), a silent one after at most ${figures.silentMaximumMs} ms.`,
);
const slowest = figures.slowest.map(({ atSeconds, ms }) => `${ms} ms at ${atSeconds} s`);
say(`The slowest creates: ${slowest.join(', ')}.`);
for (const failure of figures.failures.slice(0, 10)) say(`  ${failure}`);
if (!survived) say(node.lastLines.join('\n'));
say('');
for (const [claim, holds] of verdicts) say(`${holds ? 'holds' : 'BROKEN'}: ${claim}`);

if (survived) await node.stop();
await stage.stop();
process.exit(verdicts.every(([, holds]) => holds) ? 0 : 1);
