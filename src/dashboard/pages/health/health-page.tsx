import { Anchor, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { EmptyState } from '../../ui/empty-state.tsx';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Alerts } from './alerts.tsx';
import { type Health, healthDocument } from './documents.ts';
import {
  AccountFacts,
  HealthDiversion,
  HealthMark,
  LastFailure,
  useWindow,
  WindowChoice,
  WindowFigures,
} from './health-parts.tsx';
import { healthTexts, type Window } from './texts.ts';

const pollIntervalMs = 10_000;

function HealthCard({ health, window }: { health: Health; window: Window }) {
  const text = useTexts(healthTexts);
  const providerName = useProviderName();
  const { credentialId, name, provider, isDefault, lastFailure } = health;
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack gap="md">
        <Group justify="space-between" gap="xs">
          <Stack gap={0}>
            <Title order={2} size="h4">
              <Anchor component={Link} href={`/health/${credentialId}?window=${window}`} inherit>
                {name}
              </Anchor>
            </Title>
            <Text size="sm" c="dimmed">
              {providerName(provider)}
            </Text>
          </Stack>
          <Group gap="xs">
            {isDefault && (
              <Badge variant="light" tt="none">
                {text.isDefault}
              </Badge>
            )}
            <HealthMark health={health} />
          </Group>
        </Group>
        <WindowFigures calls={health[window]} />
        <AccountFacts health={health} />
        {lastFailure && <LastFailure failure={lastFailure} />}
        <Group>
          <HealthDiversion health={health} />
        </Group>
      </Stack>
    </Paper>
  );
}

export default function HealthPage() {
  const text = useTexts(healthTexts);
  const [window, setWindow] = useWindow();
  const result = useServiceQuery(healthDocument, {}, { refetchIntervalMs: pollIntervalMs });
  return (
    <Page
      title={text.title}
      about={text.about}
      actions={<WindowChoice value={window} onChange={setWindow} />}
    >
      <QueryResult result={result}>
        {({ providerHealth }) =>
          providerHealth.length === 0 ? (
            <Paper withBorder>
              <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
            </Paper>
          ) : (
            <Stack>
              {providerHealth.map((health) => (
                <HealthCard key={health.credentialId} health={health} window={window} />
              ))}
            </Stack>
          )
        }
      </QueryResult>
      <Alerts />
    </Page>
  );
}
