/** What ends with this process, however that ends: a benchmark that fails or is interrupted leaves nothing running. */
const started = new Map<number, NodeJS.Signals>();

/** `signal` asks the process to end at once. */
export function endsWithThis(pid: number | undefined, signal: NodeJS.Signals = 'SIGTERM'): void {
  if (pid !== undefined) started.set(pid, signal);
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1));

process.once('exit', () => {
  for (const [pid, signal] of started) {
    try {
      process.kill(pid, signal);
    } catch {
      // It has ended.
    }
  }
});
