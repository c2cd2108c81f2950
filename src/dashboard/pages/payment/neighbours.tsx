import { ActionIcon, Group, Tooltip } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { ChevronLeft, ChevronRight } from 'lucide-react';
import { Link, useLocation } from 'wouter';
import type { BrowserLocationHook } from 'wouter/use-browser-location';
import { texts, useTexts } from '../../base/language.tsx';
import { useListState } from '../payments/list-path.ts';

const messages = texts(
  { previous: 'Anterior na lista (K)', next: 'Próximo na lista (J)' },
  { previous: 'Previous in the list (K)', next: 'Next in the list (J)' },
);

/** Links to the payments before and after this one in the list that it was opened from, as far as that was loaded. */
export function Neighbours({ id }: { id: string }) {
  const text = useTexts(messages);
  const state = useListState();
  const [, navigate] = useLocation();
  const ids = state?.ids ?? [];
  const place = ids.indexOf(id);
  const previous = place > 0 ? ids[place - 1] : undefined;
  const next = place >= 0 ? ids[place + 1] : undefined;
  const go = (to: string | undefined) => () => {
    if (to) navigate(`/payments/${to}`, { state });
  };
  useHotkeys([
    ['k', go(previous)],
    ['j', go(next)],
  ]);
  if (!previous && !next) return null;
  const sides = [
    { label: text.previous, to: previous, Icon: ChevronLeft },
    { label: text.next, to: next, Icon: ChevronRight },
  ];
  return (
    <Group gap={4} wrap="nowrap">
      {sides.map(({ label, to, Icon }) =>
        to ? (
          <Tooltip key={label} label={label}>
            <ActionIcon
              component={Link<BrowserLocationHook>}
              href={`/payments/${to}`}
              state={state}
              variant="default"
              aria-label={label}
            >
              <Icon size={16} aria-hidden />
            </ActionIcon>
          </Tooltip>
        ) : (
          <ActionIcon key={label} variant="default" disabled aria-label={label}>
            <Icon size={16} aria-hidden />
          </ActionIcon>
        ),
      )}
    </Group>
  );
}
