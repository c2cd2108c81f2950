import { useSearchParams } from 'wouter';
import { defaultTimeZone } from '../../../core/base/time/zone.ts';
import { useTimeZone } from '../../base/language.tsx';
import { dayIn, isDay, rangeOfPreset, type DateRange } from '../../ui/date-range/ranges.ts';

/** Brazil's are listed from east to west. */
const timeZones = [
  'America/Noronha',
  'America/Sao_Paulo',
  'America/Manaus',
  'America/Rio_Branco',
  'UTC',
] as const;

/** Keeps it in the URL, so that links have it. Begins with the last seven days in the organization's time zone. */
export function usePeriod() {
  const [parameters, setParameters] = useSearchParams();
  const given = (name: string): string => parameters.get(name) ?? '';
  const ownZone = useTimeZone() ?? defaultTimeZone;
  const zones = [...new Set([ownZone, ...timeZones])];
  const timeZone = zones.find((zone) => zone === given('zone')) ?? ownZone;
  const [from, to] = [given('from'), given('to')];
  const range =
    isDay(from) && isDay(to) && from <= to ? { from, to } : rangeOfPreset('last7', dayIn(timeZone));
  return {
    range,
    timeZone,
    zones,
    change: (changes: Partial<DateRange> & { zone?: string }) => {
      setParameters((now) => ({ ...Object.fromEntries(now), ...changes }), { replace: true });
    },
  };
}
