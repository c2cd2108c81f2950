import { Badge, Code, Group, Stack, Text } from '@mantine/core';
import { useProviderName } from '../../../parts/use-provider-name.ts';
import { routingReasons, skipReasons } from '../../../parts/routing-texts.ts';
import type { AttemptOutcome } from '../../../../core/payments/rules/payment.ts';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import type { Attempt, Investigation } from '../base/documents.ts';
import classes from './timeline.module.css';

const messages = texts(
  {
    outcomes: {
      planned: 'não usada',
      open: 'em andamento',
      created: 'criou a cobrança',
      rejected: 'recusou',
      not_sent: 'sem conexão',
      unknown: 'resultado desconhecido',
      skipped: 'ignorada',
      not_created: 'não criou a cobrança',
      withdrawn: 'cobrança cancelada',
    } satisfies Record<AttemptOutcome, string>,
    why: 'Motivo:',
    skipped: 'Ignorada:',
    detail: 'Para o suporte do provedor:',
    reference: 'Referência no provedor',
  },
  {
    outcomes: {
      planned: 'not used',
      open: 'in progress',
      created: 'created the charge',
      rejected: 'refused',
      not_sent: 'unreachable',
      unknown: 'outcome unknown',
      skipped: 'skipped',
      not_created: 'did not create the charge',
      withdrawn: 'charge cancelled',
    },
    why: 'Reason:',
    skipped: 'Skipped:',
    detail: "For the provider's support:",
    reference: 'Provider reference',
  },
);

const colors: Partial<Record<AttemptOutcome, string>> = {
  created: 'teal',
  rejected: 'red',
  not_sent: 'red',
  unknown: 'yellow',
  open: 'yellow',
};

function RoutingAttempt({ attempt, account }: { attempt: Attempt; account: string | undefined }) {
  const text = useTexts(messages);
  const reasons = useTexts(routingReasons);
  const skips = useTexts(skipReasons);
  const providerName = useProviderName();
  const formats = useFormats();
  const { provider, reason, result, error, latencyMs, pspReference } = attempt;
  const isSkipped = result === 'skipped';
  const why = `${text.why} ${reasons[reason] ?? reason}.`;
  return (
    <li>
      <Group gap="xs">
        <Text span size="sm" fw={500}>
          {account ? `${account} (${providerName(provider)})` : providerName(provider)}
        </Text>
        <Badge variant="dot" size="sm" tt="none" color={colors[result] ?? 'gray'}>
          {text.outcomes[result]}
        </Badge>
        {latencyMs !== null && (
          <Text span size="xs" c="dimmed">
            {formats.milliseconds(latencyMs)}
          </Text>
        )}
      </Group>
      <Text size="sm" c="dimmed">
        {why} {isSkipped && error && `${text.skipped} ${skips[error] ?? error}.`}
      </Text>
      {!isSkipped && error && (
        <Text size="xs" c="dimmed" className={classes.anywhere}>
          {text.detail} <Code>{error}</Code>
        </Text>
      )}
      {pspReference && (
        <Text size="sm" c="dimmed" className={classes.anywhere}>
          {text.reference}: {pspReference}
        </Text>
      )}
    </li>
  );
}

export function TimelineRouting({
  attempts,
  credentials,
}: {
  attempts: Attempt[];
  credentials: Investigation['credentials'];
}) {
  return (
    <Stack component="ol" gap="sm" className={classes.steps}>
      {attempts.map((attempt) => (
        <RoutingAttempt
          key={attempt.id}
          attempt={attempt}
          account={credentials.find(({ id }) => id === attempt.credentialId)?.name}
        />
      ))}
    </Stack>
  );
}
