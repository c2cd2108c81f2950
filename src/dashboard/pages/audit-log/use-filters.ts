import { useSearchParams } from 'wouter';
import { type AuditGroup, auditGroups, nobodies } from '../../../core/audit/rules/audit-actions.ts';
import { isDay, plusDays, startOfDay } from '../../ui/date-range/ranges.ts';

export interface Filters {
  /** The id of a person or key, `operator` or `unknown`. */
  actor: string;
  /** `changes` are all but sign-ins and views of payers. */
  actions: AuditGroup | 'changes' | null;
  subject: string;
  /** Days are written like 2026-12-31. */
  from: string;
  to: string;
}

export interface FilterProps {
  filters: Filters;
  change: (changes: Partial<Filters>) => void;
}

export const noFilters: Filters = { actor: '', actions: null, subject: '', from: '', to: '' };

export const isId = (text: string): boolean => /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i.test(text);

const isActor = (text: string): boolean => isId(text) || nobodies.some((nobody) => nobody === text);

export const auditFilterOf = (
  { actor, actions, subject, from, to }: Filters,
  timeZone: string | undefined,
) => ({
  ...(actor && { actor }),
  ...(actions === 'changes' && { kind: actions }),
  ...(actions && actions !== 'changes' && { group: actions }),
  ...(subject && { subject }),
  ...(from && { from: startOfDay(from, timeZone) }),
  ...(to && { to: startOfDay(plusDays(to, 1), timeZone) }),
});

/** Keeps them in the URL, so that links and the back link have them. */
export function useFilters(): FilterProps {
  const [parameters, setParameters] = useSearchParams();
  const given = (name: string, isRight: (text: string) => boolean): string => {
    const text = parameters.get(name) ?? '';
    return isRight(text) ? text : '';
  };
  const actions = parameters.get('actions');
  return {
    filters: {
      actor: given('actor', isActor),
      actions: actions === 'changes' ? actions : (auditGroups.find((group) => group === actions) ?? null),
      subject: given('subject', isId),
      from: given('from', isDay),
      to: given('to', isDay),
    },
    change: (changes) => {
      setParameters(
        (now) =>
          Object.entries({ ...Object.fromEntries(now), ...changes }).filter(
            (entry): entry is [string, string] => !!entry[1],
          ),
        { replace: true },
      );
    },
  };
}
