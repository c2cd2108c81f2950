import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { keysFor } from './test-keys.ts';
import { runCommand } from '../../src/cli/run-command.ts';

export interface Run {
  code: number | null;
  stdout: string;
  /** Leaves out what the next member holds. */
  stderr: string;
  /** Which database it said that it works on. */
  database: string | undefined;
}

const noRun = (): Run => ({ code: null, stdout: '', stderr: '', database: undefined });

function withDatabase(run: Run): Run {
  const [line = '', database] = /^database: (.*)\n/m.exec(run.stderr) ?? [];
  return { ...run, database, stderr: run.stderr.replace(line, '') };
}

type RunPix = (args: readonly string[], env: Record<string, string>) => Promise<Run>;

const project = fileURLToPath(new URL('../..', import.meta.url));

/** The built command line, as the operator runs it; its environment is what is given and little more. */
export const pixProcess: RunPix = async (args, env) => {
  const child = spawn(process.execPath, ['dist/cli.js', ...args], {
    cwd: project,
    env: { PATH: process.env['PATH'], ...keysFor(env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const run = noRun();
  child.stdout.setEncoding('utf8').on('data', (text: string) => (run.stdout += text));
  child.stderr.setEncoding('utf8').on('data', (text: string) => (run.stderr += text));
  [run.code] = (await once(child, 'close')) as [number | null];
  return withDatabase(run);
};

/** The same command in this process: a process takes longer to start than a command to run. */
export const pix: RunPix = async (args, env) => {
  const run = noRun();
  run.code = await runCommand(args, {
    env: { ...keysFor(env), ...env },
    stdout: { write: (text) => (run.stdout += text) },
    stderr: { write: (text) => (run.stderr += text) },
  });
  return withDatabase(run);
};
