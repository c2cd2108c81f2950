import { type Weekday, weekdays } from '../../../../core/routing/rules/time-window.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import type { Rules } from './documents.ts';

const messages = texts(
  {
    names: { sun: 'dom', mon: 'seg', tue: 'ter', wed: 'qua', thu: 'qui', fri: 'sex', sat: 'sáb' },
    everyDay: 'todos os dias',
  },
  {
    names: { sun: 'Sun', mon: 'Mon', tue: 'Tue', wed: 'Wed', thu: 'Thu', fri: 'Fri', sat: 'Sat' },
    everyDay: 'every day',
  },
);

export function useWeekdays() {
  const { names, everyDay } = useTexts(messages);
  return {
    all: weekdays.map((day) => ({ day, name: names[day] })),
    inOrder: (days: readonly string[]): Weekday[] => weekdays.filter((day) => days.includes(day)),
    /** Such as "22:00–06:00, sáb, dom". */
    textOf: ({ from, to, days }: Pick<Rules['when'][number], 'from' | 'to' | 'days'>): string =>
      `${from}–${to}, ${days.length === weekdays.length ? everyDay : days.map((day) => names[day]).join(', ')}`,
  };
}
