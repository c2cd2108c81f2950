import { defaultTimeZone } from '../time/zone.ts';
import type { Figure } from './csv.ts';

/** Number, date and separator conventions of a locale: those with which its spreadsheets open a file. */
export interface CsvWriting {
  separator: string;
  /** Whether texts that look like numbers or dates begin with a tab, so that they stay texts. */
  isForSpreadsheets: boolean;
  amount(reais: number): Figure;
  instant(iso: string): Figure;
  /** Writes a day, `YYYY-MM-DD`. */
  day(iso: string): Figure;
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

const english: CsvWriting = {
  separator: ',',
  isForSpreadsheets: true,
  amount: (reais) => ({ figure: reais.toFixed(2) }),
  instant: (iso) => ({ figure: iso }),
  day: (iso) => ({ figure: iso }),
};

const portuguese = (format: Intl.DateTimeFormat): CsvWriting => ({
  separator: ';',
  isForSpreadsheets: true,
  amount: (reais) => ({ figure: reais.toFixed(2).replace('.', ',') }),
  instant: (iso) => ({ figure: format.format(new Date(iso)).replace(',', '') }),
  day: (iso) => ({ figure: iso.split('-').reverse().join('/') }),
});

/** Leaves texts as they are, but for formulas. */
export const csvForPrograms: CsvWriting = { ...english, isForSpreadsheets: false };

/** Portuguese files have instants in Brasília. */
export const csvWritings: Record<CsvLocale, CsvWriting> = { pt: portuguese(inBrasilia), en: english };

/** Portuguese files have instants in this time zone; those of English say that they are in UTC. */
export const csvWritingIn = (locale: CsvLocale, timeZone: string): CsvWriting =>
  locale === 'pt' ? portuguese(formatIn(timeZone)) : english;

/** Brasília's day for the name of a file, such as `2026-11-21`. */
export function fileDay(now: Date): string {
  const [day, month, year] = inBrasilia.format(now).split(/\D+/);
  return `${year}-${month}-${day}`;
}
