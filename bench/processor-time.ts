import { readdir, readFile } from 'node:fs/promises';

const orGone = <T>(reading: Promise<T>): Promise<T | undefined> => reading.catch(() => undefined);

/** User and system time of all threads; 0 once the process has ended. */
async function nanosecondsOf(pid: number): Promise<number> {
  const threads = (await orGone(readdir(`/proc/${pid}/task`))) ?? [];
  const stats = threads.map((thread) => orGone(readFile(`/proc/${pid}/task/${thread}/schedstat`, 'utf8')));
  return (await Promise.all(stats)).reduce((sum, stat) => sum + Number(stat?.split(' ')[0] ?? 0), 0);
}

async function childrenOf(pid: number): Promise<number[]> {
  const children = await orGone(readFile(`/proc/${pid}/task/${pid}/children`, 'utf8'));
  return (children ?? '').split(' ').map(Number).filter(Boolean);
}

const ticksPerSecond = 100;
const placeOfChildren = 13;

/** Time of children that have ended, such as a connection of PostgreSQL. */
async function nanosecondsOfEnded(pid: number): Promise<number> {
  const stat = (await orGone(readFile(`/proc/${pid}/stat`, 'utf8'))) ?? '';
  // The name of the command, in parentheses, may hold spaces.
  const [user = 0, system = 0] = stat
    .slice(stat.lastIndexOf(')') + 2)
    .split(' ')
    .slice(placeOfChildren, placeOfChildren + 2)
    .map(Number);
  return ((user + system) / ticksPerSecond) * 1e9;
}

/**
 * Seconds of processor time that the processes and their children, such as those of PostgreSQL, have used so far.
 * Unlike throughput it hardly depends on what else runs on the machine. Linux only.
 */
export async function processorSeconds(pids: readonly number[]): Promise<number> {
  const all = [...pids, ...(await Promise.all(pids.map(childrenOf))).flat()];
  const parts = await Promise.all([...all.map(nanosecondsOf), ...pids.map(nanosecondsOfEnded)]);
  return parts.reduce((sum, each) => sum + each, 0) / 1e9;
}
