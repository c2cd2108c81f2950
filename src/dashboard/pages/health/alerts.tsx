import { Anchor, Badge, Group, Stack, Text } from '@mantine/core';
import { Link } from 'wouter';
import { alertRules } from '../../../core/health/rules/condition-rules-words.ts';
import { alertKinds } from '../../../core/health/rules/conditions.ts';
import {
  conditionPath,
  conditionSubject,
  conditionTitles,
} from '../../../core/health/rules/condition-words.ts';
import { useFormats, useLanguage, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { DataTable } from '../../ui/data-table.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { alertsDocument } from './documents.ts';
import { healthTexts } from './texts.ts';
import { Section } from '../../ui/page.tsx';

/** Says when each alert opens and closes. */
function Rules() {
  const text = useTexts(healthTexts);
  const { language } = useLanguage();
  return (
    <details>
      <Text component="summary" size="sm" c="dimmed" style={{ cursor: 'pointer' }}>
        {text.rules}
      </Text>
      <Stack component="dl" gap="xs" my="xs">
        {alertKinds.map((kind) => (
          <div key={kind}>
            <Text component="dt" size="sm" fw={600}>
              {conditionTitles[kind][language]}
            </Text>
            <Text component="dd" size="sm" m={0}>
              {alertRules[kind][language]}
            </Text>
          </div>
        ))}
      </Stack>
    </details>
  );
}

/** Lists past and present alerts, newest first. */
export function Alerts() {
  const text = useTexts(healthTexts);
  const { language } = useLanguage();
  const { dateTime } = useFormats();
  const result = useServiceQuery(alertsDocument, {}, { refetchIntervalMs: 15_000 });
  return (
    <Section title={text.alerts}>
      <Rules />
      <QueryResult result={result}>
        {({ alerts }) => (
          <DataTable
            caption={text.alerts}
            rows={alerts}
            keyOf={({ id }) => id}
            empty={<EmptyState title={text.noAlerts} />}
            columns={[
              {
                header: text.alert,
                cell: ({ kind, condition }) => (
                  <Group gap="0 0.5rem">
                    <Anchor component={Link} href={conditionPath(condition)} size="sm">
                      {conditionTitles[kind][language]}
                    </Anchor>
                    {condition.subject && (
                      <Text size="xs" c="dimmed" style={{ overflowWrap: 'anywhere' }}>
                        {conditionSubject(condition, language)}
                      </Text>
                    )}
                  </Group>
                ),
              },
              { header: text.opened, isWhole: true, cell: ({ openedAt }) => dateTime(openedAt) },
              {
                header: text.closed,
                cell: ({ closedAt, severity }) =>
                  closedAt ? (
                    dateTime(closedAt)
                  ) : (
                    <Badge variant="light" tt="none" color={severity === 'critical' ? 'red' : 'orange'}>
                      {text.stillOpen}
                    </Badge>
                  ),
              },
            ]}
          />
        )}
      </QueryResult>
    </Section>
  );
}
