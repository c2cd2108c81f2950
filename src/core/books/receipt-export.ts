import { z } from 'zod';
import { isUuid } from '../base/ids.ts';
import type { PersonCaller } from '../base/caller.ts';
import { parseForm } from '../base/parsing/parse.ts';
import { byteOrderMark, type Cell, csvLine } from '../base/csv/csv.ts';
import { type CsvLocale, csvLocales, csvWritings } from '../base/csv/csv-writing.ts';
import { type Receipts, receiptsSchema } from './receipts.ts';

const organizationRule = 'must be the id of an organization';
const exportSchema = receiptsSchema.extend({
  organization: z.string({ error: organizationRule }).refine(isUuid, organizationRule),
  mode: z.enum(['test', 'live'], { error: 'must be test or live' }),
  locale: z.enum(csvLocales, { error: 'must be pt or en' }),
});

export type ReceiptExport = z.output<typeof exportSchema>;

const names: Record<CsvLocale, string> = { pt: 'recebimentos', en: 'receipts' };

const headers: Record<CsvLocale, readonly string[]> = {
  pt: [
    'Dia',
    'Provedor',
    'Credencial',
    'Pix',
    'Bruto (R$)',
    'Estornos (R$)',
    'Devoluções pelo banco (R$)',
    'Líquido (R$)',
    'Extrato: recebido (R$)',
    'Extrato: líquido (R$)',
    'Diferença (R$)',
    'Extrato: tarifas (R$)',
    'Tarifas esperadas (R$)',
  ],
  en: [
    'Day',
    'Provider',
    'Credential',
    'Pix',
    'Gross (BRL)',
    'Refunded (BRL)',
    'Taken back (BRL)',
    'Net (BRL)',
    'Statement: received (BRL)',
    'Statement: net (BRL)',
    'Difference (BRL)',
    'Statement: fees (BRL)',
    'Expected fees (BRL)',
  ],
};

export const parseReceiptExport = (query: unknown): ReceiptExport => parseForm(exportSchema, query);

export const receiptFileName = ({ locale, mode, from, to }: ReceiptExport): string =>
  `${[names[locale], mode, from, ...(to === from ? [] : [to])].join('-')}.csv`;

export interface ReceiptExportService {
  /** A line for each day and credential, oldest day first. */
  csv(caller: PersonCaller, wanted: ReceiptExport): AsyncGenerator<string>;
}

export function createReceiptExport({ receipts }: { receipts: Receipts }): ReceiptExportService {
  return {
    async *csv(caller, { locale, from, to, timeZone }) {
      const { days } = await receipts.sumByDay(caller, { from, to, timeZone });
      const writing = csvWritings[locale];
      const { amount } = writing;
      const lines: Cell[][] = days
        .toReversed()
        .flatMap(({ date, groups }) =>
          groups.map(
            ({ provider, credentialName, pixCount, gross, refunded, reversed, net, book, ...fees }) => [
              writing.day(date),
              provider,
              credentialName ?? '',
              { figure: String(pixCount) },
              ...[gross, refunded, reversed, net].map(amount),
              book ? amount(book.received) : '',
              book && book.net !== null ? amount(book.net) : '',
              book ? amount(book.difference) : '',
              ...[fees.fee, fees.expectedFee].map((each) => (each === null ? '' : amount(each))),
            ],
          ),
        );
      yield byteOrderMark + [headers[locale], ...lines].map((cells) => csvLine(cells, writing)).join('');
    },
  };
}
