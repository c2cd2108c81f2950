import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { keysFor } from './test-keys.ts';

type LogLine = { msg?: string; level?: string } & Record<string, unknown>;

export interface ServiceProcess {
  baseUrl: string;
  process: ChildProcess;
  logs: LogLine[];
  /** Sends a signal; answers the exit code, null when the signal itself ended the process. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

const project = fileURLToPath(new URL('../..', import.meta.url));
const running = new Set<ChildProcess>();

function parseLine(line: string): LogLine {
  try {
    return JSON.parse(line) as LogLine;
  } catch {
    return { msg: line };
  }
}

async function ended(child: ChildProcess): Promise<number | null> {
  if (child.exitCode === null && child.signalCode === null) await once(child, 'close');
  return child.exitCode;
}

/** What `npm start` lets a node have. */
export async function memoryFlags(): Promise<string[]> {
  const { scripts } = JSON.parse(await readFile(`${project}/package.json`, 'utf8')) as {
    scripts: { start: string };
  };
  return scripts.start.split(' ').filter((word) => /^--(max|heap|v8|no)-/.test(word));
}

/**
 * The built service as a process of its own, once it listens; its environment is what is given and little more.
 * `directory`: the project that it is built in.
 */
export async function startService(
  env: Record<string, string>,
  flags: readonly string[] = [],
  directory = project,
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [...flags, 'dist/main.js'], {
    cwd: directory,
    env: { PATH: process.env['PATH'], PORT: '0', RATE_LIMIT_PER_MINUTE: '100000', ...keysFor(env), ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  running.add(child);
  void ended(child).then(() => running.delete(child));
  const logs: LogLine[] = [];
  let mistakes = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (mistakes += text));

  const port = await new Promise<unknown>((resolve, reject) => {
    createInterface(child.stdout).on('line', (text) => {
      const line = parseLine(text);
      logs.push(line);
      if (line.msg === 'listening') resolve(line['port']);
    });
    child.once('close', () => {
      reject(new Error(`the service ended before it listened: ${mistakes}`));
    });
  });

  return {
    baseUrl: `http://127.0.0.1:${String(port)}`,
    process: child,
    logs,
    end(signal) {
      child.kill(signal);
      return ended(child);
    },
  };
}

/** Ends what a failed test has left. */
export async function killServices(): Promise<void> {
  for (const child of running) {
    child.kill('SIGKILL');
    await ended(child);
  }
}
