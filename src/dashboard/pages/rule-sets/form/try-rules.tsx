import { Button, Group, Select, Stack } from '@mantine/core';
import { lazy, Suspense, useState } from 'react';
import { texts, useTexts } from '../../../base/language.tsx';
import { Loading } from '../../../ui/loading.tsx';
import type { Accounts } from '../base/accounts.ts';
import type { Rules } from '../base/documents.ts';

const Simulation = lazy(() => import('./simulation.tsx'));

const messages = texts(
  {
    period: 'Período',
    days: (days: number) => `Últimos ${days} dias`,
    show: 'Testar com cobranças passadas',
  },
  {
    period: 'Period',
    days: (days) => `Last ${days} days`,
    show: 'Try on past payments',
  },
);

const periods = [7, 30, 90];
const dayMs = 86_400_000;

interface TryRulesProps {
  rules: Omit<Rules, 'name'>;
  accounts: Accounts;
}

/** Shows what a draft would have done with past payments, until the draft changes. */
export function TryRules({ rules, accounts }: TryRulesProps) {
  const text = useTexts(messages);
  const [days, setDays] = useState(30);
  const [tried, setTried] = useState<{ rules: string; from: string; to: string }>();
  const draft = JSON.stringify(rules);
  const show = () => {
    const now = Date.now();
    setTried({
      rules: draft,
      from: new Date(now - days * dayMs).toISOString(),
      to: new Date(now).toISOString(),
    });
  };
  return (
    <Stack gap="xs">
      <Group gap="xs" align="flex-end">
        <Select
          label={text.period}
          data={periods.map((each) => ({ value: String(each), label: text.days(each) }))}
          allowDeselect={false}
          value={String(days)}
          onChange={(value) => {
            setDays(Number(value));
            setTried(undefined);
          }}
        />
        <Button variant="default" onClick={show}>
          {text.show}
        </Button>
      </Group>
      {tried?.rules === draft && (
        <Suspense fallback={<Loading />}>
          <Simulation rules={rules} from={tried.from} to={tried.to} accounts={accounts} />
        </Suspense>
      )}
    </Stack>
  );
}
