import { brasiliaDay } from '../../core/base/time/brasilia.ts';
import type { CalendarDay } from '../../core/base/time/calendar-day.ts';

/** Where banks reckon. */
export const brasiliaToday = (): CalendarDay => brasiliaDay(new Date());
