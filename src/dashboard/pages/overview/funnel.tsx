import { Anchor, Group, Paper, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import type { ResultOf } from '../../api/graphql.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { wholeColor } from '../../ui/charts/bar-chart.tsx';
import type { statisticsFigures } from './documents.ts';
import { paidEver } from './figures.tsx';

const messages = texts(
  {
    title: 'Funil de cobranças',
    requested: 'Solicitadas',
    created: 'Criadas por um provedor',
    completed: 'Pagas',
    lost: (count: string) => (count === '1' ? '1 não criada' : `${count} não criadas`),
  },
  {
    title: 'Payment funnel',
    requested: 'Requested',
    created: 'Created by a provider',
    completed: 'Paid',
    lost: (count) => `${count} not created`,
  },
);

const paid = 'var(--mantine-color-teal-text)';

interface FunnelProps {
  statistics: ResultOf<typeof statisticsFigures>;
  /** The first day of the period, which ends today. */
  firstDay: string;
}

/** Draws how many of the payments asked for got as far as each step. Its texts say all of it. */
export function Funnel({ statistics: { created, failed, completed }, firstDay }: FunnelProps) {
  const text = useTexts(messages);
  const { count, share } = useFormats();
  const requested = created + failed;
  if (requested === 0) return null;
  const list = `/payments?from=${firstDay}`;
  const steps = [
    { label: text.requested, value: requested, href: list, color: wholeColor },
    // No list leaves out those that failed.
    { label: text.created, value: created, href: failed === 0 && list, color: wholeColor, lost: failed },
    { label: text.completed, value: completed, href: `${list}${paidEver}`, color: paid },
  ];
  return (
    <Paper withBorder p="md" m={0} component="figure">
      <Text component="figcaption" fw={600} mb="sm">
        {text.title}
      </Text>
      <Stack component="ol" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {steps.map(({ label, value, href, color, lost = 0 }) => (
          <li key={label}>
            <Group gap="0 0.5rem" mb={4}>
              <Text size="sm">{label}</Text>
              {href ? (
                <Anchor
                  component={Link}
                  href={href}
                  size="sm"
                  fw={600}
                  aria-label={`${label}: ${count(value)}`}
                >
                  {count(value)}
                </Anchor>
              ) : (
                <Text size="sm" fw={600}>
                  {count(value)}
                </Text>
              )}
              <Text size="sm" c="dimmed">
                {share(value / requested)}
              </Text>
              {lost > 0 && (
                <Anchor component={Link} href={`${list}&status=failed`} size="xs" c="red">
                  {text.lost(count(lost))}
                </Anchor>
              )}
            </Group>
            <div
              aria-hidden
              style={{
                width: `${(100 * value) / requested}%`,
                minWidth: 2,
                height: 12,
                borderRadius: 2,
                background: color,
              }}
            />
          </li>
        ))}
      </Stack>
    </Paper>
  );
}
