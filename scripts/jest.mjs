// @ts-check
// Jest with these arguments. A machine that is busy for a moment must not stop a merge: in CI, what failed runs once more
// with nothing beside it. What failed first is a defect to mend, and stays in the log.
import { spawn } from 'node:child_process';
import { once } from 'node:events';

/** @param {string[]} more */
async function jest(...more) {
  const child = spawn('npm', ['run', '-s', 'jest:built', '--', ...process.argv.slice(2), ...more], {
    stdio: 'inherit',
  });
  const stop = () => child.kill('SIGTERM');
  process.once('SIGTERM', stop);
  const [status, signal] = await once(child, 'close');
  process.off('SIGTERM', stop);
  return { isStopped: signal !== null, status: status ?? 1 };
}

// Ctrl-C reaches jest as it reaches this process, and jest has servers to stop before it ends.
process.on('SIGINT', () => undefined);

let { status, isStopped } = await jest();
if (status !== 0 && !isStopped && process.env.CI) {
  process.stderr.write('\nOnce more, alone, what failed:\n\n');
  ({ status } = await jest('--onlyFailures', '--maxWorkers=1'));
}
process.exit(status);
