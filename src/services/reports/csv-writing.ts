/** Number, date and separator conventions of a locale: those with which its spreadsheets open a file. */
export interface CsvWriting {
  separator: string;
  amount(reais: number): string;
  instant(iso: string): string;
}

export const csvLocales = ['pt', 'en'] as const;

export type CsvLocale = (typeof csvLocales)[number];

const inBrasilia = new Intl.DateTimeFormat('pt-BR', {
  timeZone: 'America/Sao_Paulo',
  day: '2-digit',
  month: '2-digit',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
});

export const csvWritings: Record<CsvLocale, CsvWriting> = {
  pt: {
    separator: ';',
    amount: (reais) => reais.toFixed(2).replace('.', ','),
    instant: (iso) => inBrasilia.format(new Date(iso)).replace(',', ''),
  },
  en: { separator: ',', amount: (reais) => reais.toFixed(2), instant: (iso) => iso },
};

/** For the name of a file: `2026-11-21`, in Brasília. */
export function fileDay(now: Date): string {
  const [day, month, year] = inBrasilia.format(now).split(/\D+/);
  return `${year}-${month}-${day}`;
}
