import { cents, reaisFromCents } from '../base/money.ts';
import { feeOf } from '../providers/rules/fees/fees.ts';
import { isTakenBack } from '../payments/rules/reversal.ts';
import { brasiliaIso } from '../base/time/brasilia.ts';
import type { BookEntry } from './store/book-entries.ts';
import type { Cell } from '../base/csv/csv.ts';
import type { CsvLocale, CsvWriting } from '../base/csv/csv-writing.ts';
import { credentialOf } from './book-views.ts';
import type { StatementDay } from './store/statement-days.ts';

const lineTypes = ['received', 'refund', 'reversal'] as const;

type LineType = (typeof lineTypes)[number];

/** A line of the accountants' file: a Pix, or money of it that left again. */
interface Line {
  type: LineType;
  at: Date | null;
  /** Negative for money that left. */
  amountInCents: bigint;
  reference: string;
  feeInCents: bigint | null;
  reason: string;
}

/** Our stand-in for an id, used when a provider reports only how much has left, means nothing to accountants. */
const shown = (reference: string): string => (reference.startsWith('total:') ? '' : reference);

const leaving = (type: LineType, amountInCents: bigint): Line => ({
  type,
  at: null,
  amountInCents: -amountInCents,
  reference: '',
  feeInCents: null,
  reason: '',
});

const sumOf = (lines: readonly Line[], type: LineType): bigint =>
  lines.filter((line) => line.type === type).reduce((sum, { amountInCents }) => sum - amountInCents, 0n);

/** What the bank lists as gone beyond our records, for instance money without a payment. */
function unknownReturns({ returnedInCents, reversedInCents }: BookEntry, known: readonly Line[]): Line[] {
  if (returnedInCents === null || reversedInCents === null) return [];
  const gone = { refund: returnedInCents - reversedInCents, reversal: reversedInCents } as const;
  return (['refund', 'reversal'] as const)
    .map((type) => leaving(type, gone[type] - sumOf(known, type)))
    .filter(({ amountInCents }) => amountInCents < 0n);
}

function linesOf(entry: BookEntry): Line[] {
  const { receivedAt, amountInCents, reference, feeInCents, resolution, resolutionReason } = entry;
  const known = entry.returns.map(({ reason, amountInCents: amount, ...each }): Line => {
    const isReversal = reason !== null && isTakenBack({ reason });
    return {
      ...leaving(isReversal ? 'reversal' : 'refund', BigInt(amount)),
      at: new Date(each.at),
      reference: shown(each.reference),
      reason: reason ?? '',
    };
  });
  const reason = resolution === null ? '' : `${resolution}: ${resolutionReason ?? ''}`;
  const received: Line = { type: 'received', at: receivedAt, amountInCents, reference, feeInCents, reason };
  return [received, ...known, ...unknownReturns(entry, known)];
}

export const lineHeader = [
  'date',
  'credentialId',
  'provider',
  'type',
  'at',
  'endToEndId',
  'reference',
  'paymentId',
  'externalId',
  'amount',
  'fee',
  'reason',
  'expectedFee',
] as const;

export const lineHeaders: Record<CsvLocale, readonly string[]> = {
  pt: [
    'Dia',
    'ID da credencial',
    'Provedor',
    'Tipo',
    'Data e hora',
    'ID do Pix (EndToEndId)',
    'ID no provedor',
    'ID do pagamento',
    'Referência',
    'Valor (R$)',
    'Tarifa (R$)',
    'Motivo',
    'Tarifa esperada (R$)',
  ],
  en: [
    'Day',
    'Credential ID',
    'Provider',
    'Type',
    'Date and time',
    'End-to-end ID',
    'ID at the provider',
    'Payment ID',
    'Reference',
    'Amount (BRL)',
    'Fee (BRL)',
    'Reason',
    'Expected fee (BRL)',
  ],
};

/** The cells of a Pix and of each refund or reversal of it. */
export const lineCells = (
  statementDay: StatementDay,
  entry: BookEntry,
  { amount, instant }: CsvWriting,
): Cell[][] => {
  const inReais = (inCents: bigint | null) =>
    inCents === null ? '' : amount(reaisFromCents(cents(inCents)));
  const { day, provider, fees } = statementDay;
  const expectedFee = fees && feeOf(fees, cents(entry.amountInCents));
  return linesOf(entry).map((line) => [
    { figure: day },
    credentialOf(statementDay) ?? '',
    provider,
    line.type,
    line.at === null ? '' : instant(brasiliaIso(line.at)),
    entry.endToEndId ?? '',
    line.reference,
    entry.paymentId ?? '',
    entry.externalId ?? '',
    inReais(line.amountInCents),
    inReais(line.feeInCents),
    line.reason,
    inReais(line.type === 'received' ? expectedFee : null),
  ]);
};
