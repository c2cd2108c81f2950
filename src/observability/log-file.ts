import { write } from 'node:fs';
import { setTimeout as delay } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { DestinationStream } from 'pino';

export interface LogFile extends DestinationStream {
  /** Whether lines are being lost, or have been on their way for long. */
  isFailing(): boolean;
  lostLines(): number;
  /** Writes what is left, for a second at most; whether it came to an end, written or lost. */
  flush(): Promise<boolean>;
}

const writtenEveryMs = 200;
const batchLength = 16_000;
/** How many characters wait for a destination that takes none at the moment; beyond that, lines are lost. */
const maximumWaitingLength = 4_194_304;
const retryMs = 100;
const flushMs = 1_000;
const slowAfterMs = 5_000;

const writeSome = promisify(write);

const isBusy = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === 'EAGAIN';

/**
 * Log lines for a file descriptor, gathered: a killed process loses at most 200 ms of them. What cannot be written, to a full
 * disk or a closed pipe, is lost and counted, and holds nothing up: pino's own destination ends the process or tries for ever.
 */
export function openLogFile(fileDescriptor: number): LogFile {
  let lines: string[] = [];
  let length = 0;
  let lost = 0;
  let isFailing = false;
  let writing: { since: number; end: Promise<void> } | undefined;

  async function writeBatch(batch: readonly string[]): Promise<void> {
    let rest = Buffer.from(batch.join(''));
    while (rest.length > 0) {
      try {
        const { bytesWritten } = await writeSome(fileDescriptor, rest);
        rest = rest.subarray(bytesWritten);
        isFailing = false;
      } catch (error) {
        if (isBusy(error)) {
          await delay(retryMs);
          continue;
        }
        isFailing = true;
        lost += batch.length;
        return;
      }
    }
  }

  async function writeAll(): Promise<void> {
    while (lines.length > 0) {
      const batch = lines;
      [lines, length] = [[], 0];
      await writeBatch(batch);
    }
    writing = undefined;
  }

  function begin(): void {
    if (writing || lines.length === 0) return;
    writing = { since: performance.now(), end: Promise.resolve() };
    writing.end = writeAll();
  }

  setInterval(begin, writtenEveryMs).unref();

  return {
    write(line) {
      if (length > maximumWaitingLength) {
        lost += 1;
        return;
      }
      lines.push(line);
      length += line.length;
      if (length >= batchLength) begin();
    },
    isFailing: () => isFailing || (writing !== undefined && performance.now() - writing.since > slowAfterMs),
    lostLines: () => lost,
    async flush() {
      begin();
      await Promise.race([writing?.end, delay(flushMs, undefined, { ref: false })]);
      return writing === undefined;
    },
  };
}
