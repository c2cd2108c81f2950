// Sends the load: wrk where it is installed, as it needs the least of the machine, else autocannon.
import { execFile, spawnSync } from 'node:child_process';
import { mkdtemp, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import autocannon from 'autocannon';

export interface BenchRequest {
  url: string;
  method?: 'GET' | 'POST';
  headers?: Record<string, string>;
  body?: string;
}

export interface Load {
  /** Requests a second. */
  rate: number;
  /** Milliseconds. */
  p50: number;
  p99: number;
  requests: number;
}

interface Limits {
  connections: number;
  seconds: number;
}

const run = promisify(execFile);

async function loadByAutocannon(request: BenchRequest, { connections, seconds }: Limits): Promise<Load> {
  const result = await autocannon({ connections, duration: seconds, ...request });
  const failed = result.errors + result.non2xx;
  if (failed > 0) throw new Error(`${failed} requests to ${request.url} failed`);
  const { average: rate, total: requests } = result.requests;
  return { rate, p50: result.latency.p50, p99: result.latency.p99, requests };
}

/** JSON is Lua but for `:` in tables and escapes: strings go in long brackets. */
const luaText = (text: string): string => `[=[${text}]=]`;

const scriptOf = ({ method = 'GET', headers = {}, body }: BenchRequest): string => `
wrk.method = "${method}"
${Object.entries(headers)
  .map(([name, value]) => `wrk.headers["${name}"] = ${luaText(value)}`)
  .join('\n')}
${body === undefined ? '' : `wrk.body = ${luaText(body)}`}
done = function(summary, latency)
  local errors = summary.errors
  io.write(string.format('\\n{"requests":%d,"microseconds":%d,"failed":%d,"p50":%d,"p99":%d}\\n', summary.requests,
    summary.duration, errors.connect + errors.read + errors.write + errors.status + errors.timeout,
    latency:percentile(50), latency:percentile(99)))
end
`;

interface WrkSummary {
  requests: number;
  microseconds: number;
  failed: number;
  p50: number;
  p99: number;
}

async function loadByWrk(request: BenchRequest, { connections, seconds }: Limits): Promise<Load> {
  const script = join(await mkdtemp(join(tmpdir(), 'pix-bench-wrk-')), 'request.lua');
  await writeFile(script, scriptOf(request));
  const threads = ['-t', '1', '-c', String(connections), '-d', `${seconds}s`];
  const { stdout } = await run('wrk', [...threads, '-s', script, request.url]);
  const summary = JSON.parse(stdout.trim().split('\n').at(-1) ?? '') as WrkSummary;
  if (summary.failed > 0) throw new Error(`${summary.failed} requests to ${request.url} failed`);
  const { requests, microseconds, p50, p99 } = summary;
  return { rate: (requests / microseconds) * 1e6, p50: p50 / 1000, p99: p99 / 1000, requests };
}

const hasWrk = spawnSync('wrk', ['-v']).error === undefined;

export const generator = hasWrk ? 'wrk' : 'autocannon';
export const load = hasWrk ? loadByWrk : loadByAutocannon;
