import fc from 'fast-check';
import { times } from '../chance.ts';
import { daysLater } from '../due/second-reckoning.ts';
import type { Outcome } from '../psp-emulator/automatic.ts';
import type { Fault, Operation } from '../psp-emulator/faults.ts';
import { debitDay } from './calendar.ts';

export type Frequency = 'weekly' | 'monthly' | 'quarterly' | 'semiannually' | 'annually';

/** What payer, bank and receiver do about the debit of one cycle. */
export interface CyclePlan {
  /** Of its attempts, in order; those without one are paid. */
  outcomes: Outcome[];
  /** The bank refuses the first one on the day on which it gets it, rather than on the evening of the debit. */
  isEarly: boolean;
  /** Somebody stops this debit alone, so many days before the bank makes it. */
  stop?: { by: 'payer' | 'receiver'; daysBefore: number } | undefined;
  /** Once it has failed because of the payer's limit, the receiver has it retried so many days after its due date. */
  byHand?: number | undefined;
}

export type Hour = '12:00' | '21:00' | '23:00';

export interface RecurrencePlan {
  frequency: Frequency;
  startDate: string;
  endDate?: string | undefined;
  amountInCents: number;
  retries: 'none' | 'three_in_seven_days';
  /** What the payer decides about it, on which day. */
  consent: { kind: 'permits' | 'rejects'; on: string } | undefined;
  /** Who ends it, and when. */
  end?: { by: 'payer' | 'payer_bank' | 'receiver'; on: string; hour: Hour } | undefined;
  /** Over and over. */
  cycles: CyclePlan[];
}

type Tell = 'once' | 'twice' | 'reversed' | 'never' | 'forged' | 'later';

/** What goes wrong at one moment. */
export interface Weather {
  tell: Tell;
  faults: { kind: Fault['kind']; operation: Operation; isDone: boolean; times: number }[];
  /** After how many writes the node that works then dies. */
  dies?: number | undefined;
}

export interface WorldPlan {
  firstDay: string;
  recurrences: RecurrencePlan[];
  /** Of one moment after the other, over and over. */
  weather: Weather[];
  /** Days on which no node runs. */
  outages: { from: string; days: number }[];
}

const years = Number(process.env['MODEL_YEARS'] ?? times(1, 3));

/** CobRTentativas of the API Pix: whatever a payer's bank may say. */
const codes =
  'AB10 AC05 AC06 AM02 AM09 DENC DS27 DTED DTNT FBRD IRNT MIDI MSUC NIEC NITX QUNT RC09 UDEI'.split(' ');

const code = fc.constantFrom(...codes).map((each): Outcome => ({ code: each }));

const failure = fc.oneof(
  { weight: 6, arbitrary: fc.constant<Outcome>('no_balance') },
  { weight: 2, arbitrary: fc.constant<Outcome>('operational') },
  { weight: 2, arbitrary: fc.constant<Outcome>('limit') },
  { weight: 3, arbitrary: code },
);

const paid = fc.constantFrom<Outcome>('paid', 'paid', 'paid', 'already_paid');

const stop = fc.record({
  by: fc.constantFrom<('payer' | 'receiver')[]>('payer', 'receiver'),
  daysBefore: fc.integer({ min: 0, max: 4 }),
});

const cycle: fc.Arbitrary<CyclePlan> = fc.oneof(
  { weight: 10, arbitrary: fc.constant<CyclePlan>({ outcomes: [], isEarly: false }) },
  {
    weight: 6,
    arbitrary: fc.record({
      outcomes: fc
        .tuple(fc.array(failure, { minLength: 1, maxLength: 4 }), paid)
        .map(([failures, last]) => [...failures, last]),
      isEarly: fc.boolean(),
      byHand: fc.option(fc.integer({ min: 1, max: 7 }), { nil: undefined, freq: 2 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ outcomes: fc.constant<Outcome[]>([]), isEarly: fc.constant(false), stop }),
  },
);

const frequency = fc.oneof(
  { weight: 12, arbitrary: fc.constant<Frequency>('monthly') },
  { weight: 3, arbitrary: fc.constantFrom<Frequency[]>('quarterly', 'semiannually', 'annually') },
  { weight: 1, arbitrary: fc.constant<Frequency>('weekly') },
);

const lastDayAfter = (firstDay: string): string => daysLater(firstDay, 365 * years + 1);

const recurrenceOf = (firstDay: string, debitOn: string): fc.Arbitrary<RecurrencePlan> =>
  fc
    .record({
      frequency,
      startDay: fc.constantFrom(0, 0, 0, 1),
      amountInCents: fc.integer({ min: 1, max: 500_000 }),
      retries: fc.constantFrom<RecurrencePlan['retries'][]>(
        'none',
        'three_in_seven_days',
        'three_in_seven_days',
      ),
      consent: fc.oneof(
        { weight: 12, arbitrary: fc.record({ kind: fc.constant('permits' as const), day: fc.constant(0) }) },
        {
          weight: 4,
          arbitrary: fc.record({
            kind: fc.constant('permits' as const),
            day: fc.integer({ min: 1, max: 28 }),
          }),
        },
        {
          weight: 1,
          arbitrary: fc.record({
            kind: fc.constant('rejects' as const),
            day: fc.integer({ min: 0, max: 28 }),
          }),
        },
        { weight: 1, arbitrary: fc.constant(undefined) },
      ),
      life: fc.double({ min: 0, max: 1, noNaN: true }),
      ends: fc.oneof(
        { weight: 3, arbitrary: fc.constant(undefined) },
        { weight: 2, arbitrary: fc.constant('by its last day' as const) },
        {
          weight: 6,
          arbitrary: fc.record({
            by: fc.constantFrom<('payer' | 'payer_bank' | 'receiver')[]>(
              'payer',
              'payer',
              'payer_bank',
              'receiver',
              'receiver',
            ),
            /** Around a debit, where it matters, or on any day of the cycle. */
            day: fc.oneof(fc.integer({ min: -5, max: 8 }), fc.integer({ min: 0, max: 90 })),
            hour: fc.constantFrom<Hour[]>('12:00', '21:00', '23:00'),
          }),
        },
      ),
      cycles: fc.array(cycle, { minLength: 3, maxLength: 14 }),
    })
    .map(({ startDay, consent, life, ends, ...plan }) => {
      const startDate = daysLater(debitOn, startDay);
      const most = { weekly: 20, monthly: 35, quarterly: 11, semiannually: 5, annually: 2 }[plan.frequency];
      const lastDebit = debitDay(startDate, plan.frequency, Math.round(life * most));
      const ended = ends ?? (plan.frequency === 'weekly' ? 'by its last day' : undefined);
      return {
        ...plan,
        startDate,
        consent: consent && { kind: consent.kind, on: daysLater(firstDay, consent.day) },
        ...(ended === 'by its last day' && { endDate: daysLater(lastDebit, plan.cycles.length % 4) }),
        ...(typeof ended === 'object' && {
          end: { by: ended.by, hour: ended.hour, on: daysLater(lastDebit, ended.day) },
        }),
      };
    });

const badAnswer = fc.constantFrom<Fault['kind'][]>(
  'reset',
  'error',
  'truncate',
  'cut',
  'busy',
  'wrap',
  'soap_fault',
);

const fault = fc
  .record({
    kind: badAnswer,
    operation: fc.constantFrom<Operation[]>(
      'create',
      'create',
      'create',
      'find_debit',
      'find_debit',
      'find_recurrence',
      'end_recurrence',
      'cancel',
      'retry_debit',
      'list',
      'token',
    ),
    isDone: fc.boolean(),
    times: fc.integer({ min: 1, max: 2 }),
  })
  // A bank that is busy has done nothing.
  .map((each) => ({ ...each, isDone: each.isDone && each.kind !== 'busy' }));

const weather: fc.Arbitrary<Weather> = fc.record({
  tell: fc.constantFrom<Tell[]>(
    'once',
    'once',
    'never',
    'never',
    'never',
    'later',
    'later',
    'twice',
    'reversed',
    'forged',
  ),
  faults: fc.oneof(
    { weight: 5, arbitrary: fc.constant<Weather['faults']>([]) },
    {
      weight: 2,
      arbitrary: fc.uniqueArray(fault, {
        minLength: 1,
        maxLength: 2,
        selector: ({ operation }) => operation,
      }),
    },
  ),
  dies: fc.oneof(
    { weight: 9, arbitrary: fc.constant(undefined) },
    { weight: 1, arbitrary: fc.integer({ min: 1, max: 30 }) },
  ),
});

/** Debits of a world are due on few days, so that most days can be skipped: the first of them around the end of a month, or anywhere. */
export const worldOf = (size: number): fc.Arbitrary<WorldPlan> =>
  fc
    .record({
      start: fc.integer({ min: 0, max: 400 }),
      until: fc.oneof(
        fc.integer({ min: 12, max: 45 }),
        fc.constantFrom(28, 29, 30, 31).map((day) => -day),
      ),
    })
    .chain(({ start, until }) => {
      const firstDay = daysLater('2026-12-01', start);
      const debitOn = until > 0 ? daysLater(firstDay, until) : monthEnd(daysLater(firstDay, 12), -until);
      const last = lastDayAfter(firstDay);
      return fc.record({
        firstDay: fc.constant(firstDay),
        recurrences: fc.array(recurrenceOf(firstDay, debitOn), {
          minLength: size,
          maxLength: size,
          size: 'max',
        }),
        weather: fc.array(weather, { minLength: 60, maxLength: 97, size: 'max' }),
        outages: fc
          .array(
            fc.record({
              day: fc.integer({ min: 40, max: 365 * years }),
              days: fc.integer({ min: 1, max: 12 }),
            }),
            {
              maxLength: 3,
            },
          )
          .map((all) =>
            all
              .map(({ day, days }) => ({ from: daysLater(firstDay, day), days }))
              .filter(({ from }) => from < last),
          ),
      });
    });

function monthEnd(from: string, date: number): string {
  let day = from;
  while (Number(day.slice(8)) !== date) day = daysLater(day, 1);
  return day;
}

export const lastDayOf = ({ firstDay }: WorldPlan): string => lastDayAfter(firstDay);
