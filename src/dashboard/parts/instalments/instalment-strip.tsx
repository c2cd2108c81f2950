import { Stack, Text, Tooltip, VisuallyHidden } from '@mantine/core';
import { Ban, CalendarClock, Check, Circle, Loader, X } from 'lucide-react';
import { Link } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { BatchItem } from './documents.ts';
import {
  instalmentStateOf,
  type InstalmentState,
  instalmentStates,
  instalmentTexts,
} from './instalment-states.ts';
import classes from './instalment-strip.module.css';

const messages = texts(
  {
    instalments: 'Parcelas',
    of: (number: number, count: number) => `Parcela ${number} de ${count}`,
  },
  {
    instalments: 'Instalments',
    of: (number: number, count: number) => `Instalment ${number} of ${count}`,
  },
);

const icons: Record<InstalmentState, typeof Check> = {
  paid: Check,
  overdue: CalendarClock,
  open: Circle,
  ended: Ban,
  waiting: Loader,
  failed: X,
};

interface InstalmentProps {
  item: BatchItem;
  count: number;
  isCurrent: boolean;
}

function Instalment({ item, count, isCurrent }: InstalmentProps) {
  const text = useTexts(messages);
  const states = useTexts(instalmentTexts);
  const { money, calendarDay } = useFormats();
  const { position, paymentId, amount, dueDate } = item;
  const state = instalmentStateOf(item);
  const Icon = icons[state];
  const label = [
    `${text.of(position + 1, count)}: ${states[state].one}`,
    ...(dueDate === null ? [] : [calendarDay(dueDate)]),
    ...(amount === null ? [] : [money(amount)]),
  ].join(', ');
  const shown = (
    <>
      <Icon size={14} aria-hidden />
      <span aria-hidden>
        {position + 1}/{count}
      </span>
      <VisuallyHidden>{label}</VisuallyHidden>
    </>
  );
  return (
    <li>
      <Tooltip label={label}>
        {paymentId === null ? (
          <span className={classes.instalment} data-state={state}>
            {shown}
          </span>
        ) : (
          <Link
            className={classes.instalment}
            data-state={state}
            href={`/payments/${paymentId}`}
            aria-current={isCurrent ? 'page' : undefined}
          >
            {shown}
          </Link>
        )}
      </Tooltip>
    </li>
  );
}

interface InstalmentStripProps {
  items: readonly BatchItem[];
  /** The payment on whose page it stands. */
  currentId?: string;
}

/** Shows all instalments in a line, with what each has become. */
export function InstalmentStrip({ items, currentId }: InstalmentStripProps) {
  const text = useTexts(messages);
  const states = useTexts(instalmentTexts);
  const counts = instalmentStates.flatMap((state) => {
    const count = items.filter((item) => instalmentStateOf(item) === state).length;
    return count > 0 ? [states[state].many(count)] : [];
  });
  return (
    <Stack gap="xs">
      <Text size="sm">{counts.join(' · ')}</Text>
      <ol className={classes.strip} aria-label={text.instalments}>
        {items.map((item) => (
          <Instalment
            key={item.position}
            item={item}
            count={items.length}
            isCurrent={item.paymentId !== null && item.paymentId === currentId}
          />
        ))}
      </ol>
    </Stack>
  );
}
