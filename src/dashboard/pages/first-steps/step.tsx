import { Badge, Group, Paper, Stack, ThemeIcon, Title } from '@mantine/core';
import { Check } from 'lucide-react';
import type { ReactNode } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import classes from './step.module.css';

const messages = texts({ done: 'Concluído' }, { done: 'Done' });

interface StepProps {
  number: number;
  title: string;
  isDone?: boolean;
  children: ReactNode;
}

export function Step({ number, title, isDone = false, children }: StepProps) {
  const text = useTexts(messages);
  return (
    <Paper withBorder p="lg" component="li" className={classes.step}>
      <ThemeIcon radius="xl" size={32} variant={isDone ? 'filled' : 'light'} aria-hidden>
        {isDone ? <Check size={18} /> : number}
      </ThemeIcon>
      <Group gap="sm" mih={32}>
        <Title order={2} size="h4">
          {title}
        </Title>
        {isDone && (
          <Badge variant="light" tt="none">
            {text.done}
          </Badge>
        )}
      </Group>
      <Stack gap="sm" miw={0} fz="sm" className={classes.body}>
        {children}
      </Stack>
    </Paper>
  );
}
