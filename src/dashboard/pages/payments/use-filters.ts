import { useSearchParams } from 'wouter';
import {
  type PaymentConcern,
  paymentConcerns,
  paymentSorts,
  type PaymentSort,
  type SortOrder,
  sortOrders,
} from '../../../core/payments/rules/payment.ts';
import { hourOfDay, isDay, plusDays, startOfDay } from '../../ui/date-range/ranges.ts';
import { type Status, statuses } from '../../parts/payment-status.tsx';

/** Payments with a due date that are pending: before it, or after it. */
export const dueStates = ['upcoming', 'overdue'] as const;

type DueState = (typeof dueStates)[number];

export interface Filters {
  search: string;
  status: Status | null;
  concern: PaymentConcern | null;
  due: DueState | null;
  /** Refunded, whole or in part. */
  refunded: 'true' | null;
  /** Days are written like 2026-12-31. */
  from: string;
  to: string;
  /** From 0 to 23: of the day `from` nothing but this hour. */
  hour: string;
  /** A document, e-mail address, phone number or words of a name. */
  payer: string;
  credential: string;
  provider: string;
  /** BRL, written as numbers are. */
  min: string;
  max: string;
  /** Due from the one day to the other. */
  dueFrom: string;
  dueTo: string;
  /** Paid from the one day to the other. */
  paidFrom: string;
  paidTo: string;
}

export interface FilterProps {
  filters: Filters;
  change: (changes: Partial<Filters>) => void;
}

export const noFilters: Filters = {
  search: '',
  status: null,
  concern: null,
  due: null,
  refunded: null,
  from: '',
  to: '',
  hour: '',
  payer: '',
  credential: '',
  provider: '',
  min: '',
  max: '',
  dueFrom: '',
  dueTo: '',
  paidFrom: '',
  paidTo: '',
};

/** These are behind a button. */
export const moreFilters = [
  'hour',
  'payer',
  'credential',
  'provider',
  'min',
  'max',
  'paidFrom',
  'paidTo',
  'dueFrom',
  'dueTo',
] as const;

export interface Sorting {
  sort: PaymentSort;
  order: SortOrder;
}

const newestFirst: Sorting = { sort: 'created', order: 'desc' };

/** What is due, or was due, first comes first. */
const firstDueFirst: Sorting = { sort: 'due', order: 'asc' };

const lastPaidFirst: Sorting = { sort: 'paid', order: 'desc' };

function usualSortingOf({ due, paidFrom, paidTo }: Filters): Sorting {
  if (due) return firstDueFirst;
  return paidFrom || paidTo ? lastPaidFirst : newestFirst;
}

export const isNewestFirst = ({ sort, order }: Sorting): boolean => sort === 'created' && order === 'desc';

/** Without a letter or digit there is nothing to compare. */
const isComparable = (text: string): boolean => /[\p{L}\p{N}]/u.test(text);

/** What is found by comparing texts comes newest first. */
export const isSortable = ({ search, payer }: Filters): boolean => !search && !isComparable(payer);

const dueFilters: Record<DueState, object> = {
  // The day is long past: it leaves out payments without a due date.
  upcoming: { status: 'pending', overdue: false, dueFrom: '2000-01-01' },
  overdue: { overdue: true },
};

/** When the payments of a list were created. */
function createdOf({ from, to, hour }: Filters, timeZone: string | undefined) {
  if (from && hour) {
    const [createdFrom, createdTo] = hourOfDay(from, Number(hour), timeZone);
    return { createdFrom, createdTo };
  }
  return {
    ...(from && { createdFrom: startOfDay(from, timeZone) }),
    ...(to && { createdTo: startOfDay(plusDays(to, 1), timeZone) }),
  };
}

export const paymentFilterOf = (filters: Filters, timeZone: string | undefined) => {
  const { search, status, concern, due, refunded, payer, credential, provider, min, max } = filters;
  const { dueFrom, dueTo, paidFrom, paidTo } = filters;
  return {
    ...(search && { search }),
    ...(status && { status }),
    ...(concern && { concern }),
    ...(due && dueFilters[due]),
    ...(refunded && { refunded: true }),
    ...(dueFrom && { dueFrom }),
    ...(dueTo && { dueTo }),
    ...(paidFrom && { paidFrom: startOfDay(paidFrom, timeZone) }),
    ...(paidTo && { paidTo: startOfDay(plusDays(paidTo, 1), timeZone) }),
    ...createdOf(filters, timeZone),
    ...(isComparable(payer) && { payer }),
    ...(credential && { credentialId: credential }),
    ...(provider && { provider }),
    ...(min && { amountFrom: Number(min) }),
    ...(max && { amountTo: Number(max) }),
  };
};

/** Filters and order live in the URL, so that links and the back link keep them. */
export function useFilters() {
  const [parameters, setParameters] = useSearchParams();
  const given = (name: string): string => parameters.get(name) ?? '';
  const day = (name: string): string => (isDay(given(name)) ? given(name) : '');
  const amount = (name: string): string => (/^\d{1,10}(\.\d{1,2})?$/.test(given(name)) ? given(name) : '');
  const filters: Filters = {
    search: given('search'),
    status: statuses.find((each) => each === given('status')) ?? null,
    concern: paymentConcerns.find((each) => each === given('concern')) ?? null,
    due: dueStates.find((each) => each === given('due')) ?? null,
    refunded: given('refunded') === 'true' ? 'true' : null,
    from: day('from'),
    to: day('to'),
    hour: /^1?\d$|^2[0-3]$/.test(given('hour')) ? given('hour') : '',
    payer: given('payer'),
    credential: given('credential'),
    provider: given('provider'),
    min: amount('min'),
    max: amount('max'),
    dueFrom: day('dueFrom'),
    dueTo: day('dueTo'),
    paidFrom: day('paidFrom'),
    paidTo: day('paidTo'),
  };
  const usual = usualSortingOf(filters);
  const asked: Sorting = {
    sort: paymentSorts.find((each) => each === given('sort')) ?? usual.sort,
    order: sortOrders.find((each) => each === given('order')) ?? usual.order,
  };
  const set = (changes: Partial<Record<keyof Filters | 'sort' | 'order', string | null>>) => {
    setParameters(
      (now) => {
        const next = { ...Object.fromEntries(now), ...changes };
        return Object.entries(next).filter((entry): entry is [string, string] => !!entry[1]);
      },
      { replace: true },
    );
  };
  return {
    filters,
    change: (changes: Partial<Filters>) => {
      set(changes);
    },
    sorting: isSortable(filters) ? asked : newestFirst,
    sortBy: ({ sort, order }: Sorting) => {
      set({ sort: sort === usual.sort ? '' : sort, order: order === usual.order ? '' : order });
    },
  };
}
