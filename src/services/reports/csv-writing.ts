import { defaultTimeZone } from '../../domain/time/zone.ts';

/** Number, date and separator conventions of a locale: those with which its spreadsheets open a file. */
export interface CsvWriting {
  separator: string;
  amount(reais: number): string;
  instant(iso: string): string;
}

export const csvLocales = ['pt', 'en'] as const;

export type CsvLocale = (typeof csvLocales)[number];

/** `DD/MM/YYYY, HH:MM:SS` */
const formatIn = (timeZone: string): Intl.DateTimeFormat =>
  new Intl.DateTimeFormat('pt-BR', {
    timeZone,
    day: '2-digit',
    month: '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    second: '2-digit',
    hourCycle: 'h23',
  });

const inBrasilia = formatIn(defaultTimeZone);

const english: CsvWriting = { separator: ',', amount: (reais) => reais.toFixed(2), instant: (iso) => iso };

const portuguese = (format: Intl.DateTimeFormat): CsvWriting => ({
  separator: ';',
  amount: (reais) => reais.toFixed(2).replace('.', ','),
  instant: (iso) => format.format(new Date(iso)).replace(',', ''),
});

/** With Portuguese instants in Brasília. */
export const csvWritings: Record<CsvLocale, CsvWriting> = { pt: portuguese(inBrasilia), en: english };

/** With Portuguese instants in a time zone; those of English say that they are in UTC. */
export const csvWritingIn = (locale: CsvLocale, timeZone: string): CsvWriting =>
  locale === 'pt' ? portuguese(formatIn(timeZone)) : english;

/** For the name of a file: `2026-11-21`, in Brasília. */
export function fileDay(now: Date): string {
  const [day, month, year] = inBrasilia.format(now).split(/\D+/);
  return `${year}-${month}-${day}`;
}
