import { addDays } from '../../../../core/base/time/calendar-day.ts';
import { brasiliaToday } from '../../../base/brasilia-today.ts';
import type { Language } from '../../../base/language.tsx';
import { printDate } from '../../../ui/date-range/typed-date.ts';
import { columns, columnTexts } from './columns.ts';

/** A file that a spreadsheet in Brazil opens as a table. */
export function sampleFile(language: Language): string {
  const inDays = (days: number) => printDate(addDays(brasiliaToday(), days));
  const rows = [
    columns.map((column) => columnTexts[language][column]),
    [
      '350,00',
      'Maria da Silva',
      '529.982.247-25',
      'maria@example.com',
      inDays(30),
      '2%',
      '1%',
      '10,00',
      inDays(25),
      '2026-001',
      'Mensalidade',
    ],
    [
      '1.234,56',
      'Padaria Exemplo Ltda.',
      '11.222.333/0001-81',
      '',
      inDays(40),
      '',
      '',
      '',
      '',
      '2026-002',
      '',
    ],
  ];
  return `\uFEFF${rows.map((row) => row.join(';')).join('\r\n')}\r\n`;
}
