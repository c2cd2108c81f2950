import { useSearchParams } from 'wouter';
import { dayIn, isDay, rangeOfPreset, type DateRange } from '../../ui/date-range/ranges.ts';

/** Those of Brazil from east to west, and UTC. */
export const timeZones = [
  'America/Noronha',
  'America/Sao_Paulo',
  'America/Manaus',
  'America/Rio_Branco',
  'UTC',
] as const;

const brasilia = 'America/Sao_Paulo';

/** In the URL, so that links keep it. The last seven days in Brasília without anything else. */
export function usePeriod() {
  const [parameters, setParameters] = useSearchParams();
  const given = (name: string): string => parameters.get(name) ?? '';
  const timeZone = timeZones.find((zone) => zone === given('zone')) ?? brasilia;
  const [from, to] = [given('from'), given('to')];
  const range =
    isDay(from) && isDay(to) && from <= to ? { from, to } : rangeOfPreset('last7', dayIn(timeZone));
  return {
    range,
    timeZone,
    change: (changes: Partial<DateRange> & { zone?: string }) => {
      setParameters((now) => ({ ...Object.fromEntries(now), ...changes }), { replace: true });
    },
  };
}
