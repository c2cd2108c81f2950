import { useSearchParams } from 'wouter';
import { type PaymentConcern, paymentConcerns } from '../../../domain/payments/payment.ts';
import { type Status, statuses } from '../../parts/payment-status.tsx';

export interface Filters {
  search: string;
  status: Status | null;
  concern: PaymentConcern | null;
  /** Days, as 2026-12-31. */
  from: string;
  to: string;
}

export const noFilters: Filters = { search: '', status: null, concern: null, from: '', to: '' };

/** Midnight where the person is. */
const startOf = (day: string, plusDays = 0): string => {
  const date = new Date(`${day}T00:00:00`);
  date.setDate(date.getDate() + plusDays);
  return date.toISOString();
};

const isDay = (text: string): boolean => !Number.isNaN(Date.parse(`${text}T00:00:00`));

/** As the service takes them; it searches for a text without other filters. */
export const paymentFilterOf = ({ status, concern, from, to }: Filters) => ({
  ...(status && { status }),
  ...(concern && { concern }),
  ...(from && { createdFrom: startOf(from) }),
  ...(to && { createdTo: startOf(to, 1) }),
});

/** The filters stand in the address, so that a link and the way back lead to the same list. */
export function useFilters() {
  const [parameters, setParameters] = useSearchParams();
  const given = (name: string): string => parameters.get(name) ?? '';
  const day = (name: string): string => (isDay(given(name)) ? given(name) : '');
  const filters: Filters = {
    search: given('search'),
    status: statuses.find((each) => each === given('status')) ?? null,
    concern: paymentConcerns.find((each) => each === given('concern')) ?? null,
    from: day('from'),
    to: day('to'),
  };
  const change = (changes: Partial<Filters>) => {
    setParameters(
      (now) => {
        const next = { ...Object.fromEntries(now), ...changes };
        return Object.entries(next).filter((entry): entry is [string, string] => !!entry[1]);
      },
      { replace: true },
    );
  };
  return { filters, change };
}
