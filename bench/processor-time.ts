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

/**
 * Seconds of processor time that the processes and their children, such as those of PostgreSQL, have used so far.
 * Unlike throughput it hardly depends on what else runs on the machine. Linux only.
 */
export async function processorSeconds(pids: readonly number[]): Promise<number> {
  const all = [...pids, ...(await Promise.all(pids.map(childrenOf))).flat()];
  return (await Promise.all(all.map(nanosecondsOf))).reduce((sum, each) => sum + each, 0) / 1e9;
}
