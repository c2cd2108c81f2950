import { setTimeout as delay } from 'node:timers/promises';
import type { Charge, ChargeIds, OtherRefund, Payer } from '../providers/rules/charge.ts';
import type { PspAdapter } from '../providers/rules/psp.ts';
import type { RecurrenceIds } from '../providers/rules/psp-recurrence.ts';
import { PspError } from '../providers/rules/psp-error.ts';
import { problemOf } from './rules/problem.ts';
import type { StepReport } from './rules/report.ts';
import type { Note, Outcome, StepName } from './rules/steps.ts';

/** What a step found, if it is anything but that everything held. */
export class Finding extends Error {
  override readonly name = 'Finding';
  readonly note: Note;
  readonly outcome: Outcome;

  constructor(note: Note, outcome: Outcome = 'broken') {
    super(note);
    this.note = note;
    this.outcome = outcome;
  }
}

/** Ends the step as broken unless it holds. */
export function must(holds: boolean, note: Note): asserts holds {
  if (!holds) throw new Finding(note);
}

/** A step as it is shown while the run goes on. */
export interface StepSeen extends StepReport {
  /** The failure in our words, which may quote a code of the provider: for the terminal, never for the report. */
  detail: string | null;
}

/** What has to be ended, whatever happens. */
export interface Made {
  charges: MadeCharge[];
  recurrences: RecurrenceIds[];
}

interface MadeCharge extends ChargeIds {
  /** Whatever was asked to be refunded of it, and not refused. */
  refunds: OtherRefund[];
  /** A refund may or may not have been made, so nothing more is refunded by itself. */
  isUncertain?: boolean;
  /** Paid when a recurrence is permitted, and over when that is. */
  isFirst?: true;
}

/** How long to look for what may lag. */
interface Patience {
  stateMs: number;
  listMs: number;
  payMs: number;
}

export interface Run {
  adapter: PspAdapter;
  payer: Payer;
  notificationUrl: string | null;
  now: () => Date;
  patience: Patience;
  made: Made;
  /** Steps after an interruption are skipped. */
  step(name: StepName, act: () => Promise<void>): Promise<Outcome>;
  /** The same, even after an interruption. */
  lastStep(name: StepName, act: () => Promise<void>): Promise<Outcome>;
  skip(name: StepName, outcome: Exclude<Outcome, 'held' | 'broken'>, note: Note): void;
  /** Those that need what an earlier step has not made. */
  skipAfter(outcome: Outcome, names: readonly StepName[]): void;
  /** Looks until it holds or the time is over, and returns the last that was seen. */
  until<Seen>(look: () => Promise<Seen>, holds: (seen: Seen) => boolean, ms: number): Promise<Seen>;
}

const callTimeoutMs = 30_000;
const [shortestPauseMs, longestPauseMs] = [250, 5_000];

const noteOf = ({ failure, reason }: PspError): Note => {
  if (reason === 'unusable' || reason?.startsWith('certificate_')) return 'unusable';
  return failure === 'rejected' || failure === 'rejected_payer' ? 'refused' : 'no_answer';
};

interface Options extends Pick<Run, 'adapter' | 'payer' | 'notificationUrl' | 'now' | 'patience'> {
  /** Ends the run. */
  interruption: AbortSignal;
  onStep: (step: StepSeen) => void;
}

export function startRun({ interruption, onStep, ...given }: Options): Run & { reports: StepReport[] } {
  const reports: StepReport[] = [];

  function report(step: StepReport, detail: string | null = null): Outcome {
    reports.push(step);
    onStep({ ...step, detail });
    return step.outcome;
  }

  const skip: Run['skip'] = (step, outcome, note) => {
    report({ step, outcome, note, problem: null, milliseconds: 0 });
  };

  async function take(name: StepName, act: () => Promise<void>, isOver: () => boolean): Promise<Outcome> {
    if (isOver()) {
      skip(name, 'skipped', 'interrupted');
      return 'skipped';
    }
    const startedAt = performance.now();
    const found = (outcome: Outcome, note: Note | null, error?: PspError) => {
      const milliseconds = Math.round(performance.now() - startedAt);
      const problem = error ? problemOf(error) : null;
      return report({ step: name, outcome, note, problem, milliseconds }, error?.message);
    };
    try {
      await act();
      return found('held', null);
    } catch (error) {
      if (isOver()) return found('skipped', 'interrupted');
      if (error instanceof Finding) return found(error.outcome, error.note);
      if (!(error instanceof PspError)) throw error;
      return error.isUnserved
        ? found('not_offered', 'unserved', error)
        : found('broken', noteOf(error), error);
    }
  }

  const until: Run['until'] = async (look, holds, ms) => {
    const end = performance.now() + ms;
    for (let pauseMs = shortestPauseMs; ; pauseMs = Math.min(pauseMs * 2, longestPauseMs)) {
      const seen = await look();
      const leftMs = end - performance.now();
      if (holds(seen) || leftMs <= 0) return seen;
      await delay(Math.min(pauseMs, leftMs), undefined, { signal: interruption });
    }
  };

  const skipAfter: Run['skipAfter'] = (outcome, names) => {
    for (const name of names) {
      if (interruption.aborted) skip(name, 'skipped', 'interrupted');
      else if (outcome === 'not_offered') skip(name, 'not_offered', 'unserved');
      else skip(name, 'skipped', 'failed_before');
    }
  };

  return {
    ...given,
    skipAfter,
    made: { charges: [], recurrences: [] },
    reports,
    skip,
    until,
    step: (name, act) => take(name, act, () => interruption.aborted),
    lastStep: (name, act) => take(name, act, () => false),
  };
}

export const isRefusal = (error: unknown): boolean =>
  error instanceof PspError && (error.failure === 'rejected' || error.failure === 'rejected_payer');

/** Where there is no such thing, there is nothing to end. */
export function forgetUnserved(made: unknown[], error: unknown): never {
  if (error instanceof PspError && error.isUnserved) made.pop();
  throw error;
}

/** Bounds each call of an adapter. An interruption lets it finish, so that what it makes is known. */
export const soon = (): AbortSignal => AbortSignal.timeout(callTimeoutMs);

export const idsOf = ({ transactionId, reference }: Charge, kind: ChargeIds['kind']): ChargeIds => ({
  transactionId,
  reference,
  ...(kind && { kind }),
});
