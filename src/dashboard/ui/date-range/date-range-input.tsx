import { Button, CloseButton, Group, Popover, Stack, Text } from '@mantine/core';
import { CalendarDays } from 'lucide-react';
import { useState } from 'react';
import { texts, useFormats, useTexts, useTimeZone } from '../../base/language.tsx';
import { MonthGrid } from './month-grid.tsx';
import { noonOf } from './months.ts';
import { type DateRange, dayIn, type Preset, presets, rangeOfPreset } from './ranges.ts';

const messages = texts(
  {
    label: 'Período',
    any: 'Qualquer data',
    clear: 'Limpar período',
    pick: 'Escolha o primeiro e o último dia',
    since: (day: string) => `Desde ${day}`,
    until: (day: string) => `Até ${day}`,
    today: 'Hoje',
    yesterday: 'Ontem',
    last7: 'Últimos 7 dias',
    last30: 'Últimos 30 dias',
    thisMonth: 'Este mês',
    lastMonth: 'Mês passado',
  },
  {
    label: 'Period',
    any: 'Any date',
    clear: 'Clear period',
    pick: 'Choose the first and the last day',
    since: (day: string) => `Since ${day}`,
    until: (day: string) => `Until ${day}`,
    today: 'Today',
    yesterday: 'Yesterday',
    last7: 'Last 7 days',
    last30: 'Last 30 days',
    thisMonth: 'This month',
    lastMonth: 'Last month',
  },
);

interface DateRangeInputProps {
  value: DateRange;
  onChange: (range: DateRange) => void;
  /** Defaults to the organization's. */
  timeZone?: string;
  isClearable?: boolean;
}

const presetOf = ({ from, to }: DateRange, today: string): Preset | undefined =>
  presets.find((preset) => {
    const range = rangeOfPreset(preset, today);
    return range.from === from && range.to === to;
  });

function useRangeText(): (range: DateRange, today: string) => string {
  const text = useTexts(messages);
  const { dateLocale: locale } = useFormats();
  const format = new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeZone: 'UTC' });
  return ({ from, to }, today) => {
    const preset = presetOf({ from, to }, today);
    if (preset) return text[preset];
    if (from && to) return format.formatRange(noonOf(from), noonOf(to));
    if (from) return text.since(format.format(noonOf(from)));
    return to ? text.until(format.format(noonOf(to))) : text.any;
  };
}

/** Offers common periods, and a calendar for any other. */
export function DateRangeInput({ value, onChange, timeZone, isClearable = false }: DateRangeInputProps) {
  const text = useTexts(messages);
  const rangeText = useRangeText();
  const ownZone = useTimeZone();
  const today = dayIn(timeZone ?? ownZone);
  const [isOpen, setIsOpen] = useState(false);
  /** Holds the first day while the last one is not chosen. */
  const [first, setFirst] = useState<string>();
  const finish = (range: DateRange) => {
    setFirst(undefined);
    setIsOpen(false);
    onChange(range);
  };
  const choose = (day: string) => {
    if (first === undefined) setFirst(day);
    else finish(day < first ? { from: day, to: first } : { from: first, to: day });
  };
  const hasValue = !!value.from || !!value.to;
  const shown = rangeText(value, today);
  return (
    <Group gap={4} wrap="nowrap">
      <Popover
        opened={isOpen}
        onChange={(opened) => {
          setIsOpen(opened);
          setFirst(undefined);
        }}
        trapFocus
        returnFocus
        position="bottom-start"
        // A list above its button may begin above the page, where nobody can scroll.
        middlewares={{ flip: false, shift: true }}
        shadow="md"
      >
        <Popover.Target>
          <Button
            fullWidth
            justify="flex-start"
            variant="default"
            fw={400}
            leftSection={<CalendarDays size={16} aria-hidden />}
            aria-label={`${text.label}: ${shown}`}
            onClick={() => {
              setIsOpen(!isOpen);
            }}
          >
            {shown}
          </Button>
        </Popover.Target>
        <Popover.Dropdown p="sm" maw="calc(100vw - 1rem)">
          <Group gap="md" align="flex-start">
            <Stack gap={2} flex="1 0 auto">
              {presets.map((preset) => (
                <Button
                  key={preset}
                  size="xs"
                  justify="flex-start"
                  variant={presetOf(value, today) === preset ? 'light' : 'subtle'}
                  onClick={() => {
                    finish(rangeOfPreset(preset, today));
                  }}
                >
                  {text[preset]}
                </Button>
              ))}
            </Stack>
            <Stack gap={4} flex="1 0 auto">
              <MonthGrid
                range={first === undefined ? value : { from: first, to: '' }}
                today={today}
                choose={choose}
              />
              <Text size="xs" c="dimmed">
                {text.pick}
              </Text>
            </Stack>
          </Group>
        </Popover.Dropdown>
      </Popover>
      {isClearable && hasValue && (
        <CloseButton
          aria-label={text.clear}
          onClick={() => {
            onChange({ from: '', to: '' });
          }}
        />
      )}
    </Group>
  );
}
