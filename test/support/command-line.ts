import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { runCommand } from '../../src/cli/run-command.ts';

export interface Run {
  code: number | null;
  stdout: string;
  stderr: string;
}

type RunPix = (args: readonly string[], env: Record<string, string>) => Promise<Run>;

const project = fileURLToPath(new URL('../..', import.meta.url));

/** The built command line, as the operator runs it; its environment is what is given and no more. */
export const pixProcess: RunPix = async (args, env) => {
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run: Run = { code: null, stdout: '', stderr: '' };
  child.stdout.setEncoding('utf8').on('data', (text: string) => (run.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (run.stderr += text));
  [run.code] = (await once(child, 'close')) as [number | null];
  return run;
};

/** The same command in this process: a process takes longer to start than a command to run. */
export const pix: RunPix = async (args, env) => {
  const run: Run = { code: null, stdout: '', stderr: '' };
  run.code = await runCommand(args, {
    env,
    stdout: { write: (text) => (run.stdout += text) },
    stderr: { write: (text) => (run.stderr += text) },
  });
  return run;
};
