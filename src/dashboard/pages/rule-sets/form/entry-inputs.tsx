import { Checkbox, Grid, Group, NumberInput } from '@mantine/core';
import { TextInput } from '../../../ui/inputs/fields.tsx';
import { MoneyInput } from '../../../ui/inputs/money-input.tsx';
import { texts, useTexts } from '../../../base/language.tsx';
import { useWeekdays } from '../base/weekdays.ts';
import type { RangeEntry, ShareEntry, WindowEntry } from './drafts.ts';

const messages = texts(
  { from: 'De', to: 'Até', percent: 'Participação', days: 'Dias em que começa' },
  { from: 'From', to: 'To', percent: 'Share', days: 'Days on which it begins' },
);

interface Props<Entry> {
  entry: Entry;
  onChange: (changes: Partial<Entry>) => void;
}

const half = { base: 12, xs: 6 };
const ends = ['from', 'to'] as const;

export function RangeInputs({ entry, onChange }: Props<RangeEntry>) {
  const text = useTexts(messages);
  return ends.map((end) => (
    <Grid.Col key={end} span={half}>
      <MoneyInput
        label={text[end]}
        required
        withAsterisk={false}
        value={entry[end]}
        onChange={(amount) => {
          onChange({ [end]: amount });
        }}
      />
    </Grid.Col>
  ));
}

export function ShareInput({ entry, onChange }: Props<ShareEntry>) {
  const text = useTexts(messages);
  return (
    <Grid.Col span={half}>
      <NumberInput
        label={text.percent}
        required
        withAsterisk={false}
        min={1}
        max={100}
        allowDecimal={false}
        suffix=" %"
        value={entry.percent}
        onChange={(percent) => {
          onChange({ percent });
        }}
      />
    </Grid.Col>
  );
}

export function WindowInputs({ entry, onChange }: Props<WindowEntry>) {
  const text = useTexts(messages);
  const weekdays = useWeekdays();
  return (
    <>
      {ends.map((end) => (
        <Grid.Col key={end} span={half}>
          <TextInput
            type="time"
            label={text[end]}
            required
            withAsterisk={false}
            value={entry[end]}
            onChange={({ currentTarget }) => {
              onChange({ [end]: currentTarget.value });
            }}
          />
        </Grid.Col>
      ))}
      <Grid.Col span={12}>
        <Checkbox.Group
          label={text.days}
          value={entry.days}
          onChange={(days) => {
            onChange({ days: weekdays.inOrder(days) });
          }}
        >
          <Group gap="xs" mt={4}>
            {weekdays.all.map(({ day, name }) => (
              <Checkbox key={day} value={day} label={name} size="sm" />
            ))}
          </Group>
        </Checkbox.Group>
      </Grid.Col>
    </>
  );
}
