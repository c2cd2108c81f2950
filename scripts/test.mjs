// @ts-check
// The checks and the tests at once: the tests wait a lot, and the checks fill the gaps. Arguments go to jest.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';

// Those of several processes take minutes more: `npm run test:processes`.
const projects = ['--selectProjects', 'unit', 'integration', 'browser'];
const jest = spawn('node', ['scripts/jest.mjs', ...projects, ...process.argv.slice(2)], { stdio: 'inherit' });
const check = spawn('npm', ['run', '-s', 'check'], { stdio: ['ignore', 'pipe', 'pipe'] });

// Ctrl-C reaches them as it reaches this process, and jest has servers to stop before it ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => {
  for (const child of [jest, check]) child.kill('SIGTERM');
});

const printed = Promise.all([text(check.stdout), text(check.stderr)]);
const [[checkStatus], [jestStatus]] = await Promise.all([once(check, 'close'), once(jest, 'close')]);
if (checkStatus !== 0)
  process.stderr.write(`${(await printed).join('')}\nThe checks failed: npm run check\n`);
process.exit(jestStatus || checkStatus || (checkStatus === null || jestStatus === null ? 1 : 0));
