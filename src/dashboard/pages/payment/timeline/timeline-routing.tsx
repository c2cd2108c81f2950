import { Badge, Code, Group, Text, ThemeIcon } from '@mantine/core';
import { Ban, Check, CircleDashed, CircleHelp, type LucideIcon, Undo2, X } from 'lucide-react';
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
    route: 'Caminho da cobrança',
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
    route: 'Route of the payment',
    why: 'Reason:',
    skipped: 'Skipped:',
    detail: "For the provider's support:",
    reference: 'Provider reference',
  },
);

const marks: Record<AttemptOutcome, { icon: LucideIcon; color: string }> = {
  created: { icon: Check, color: 'teal' },
  rejected: { icon: X, color: 'red' },
  not_sent: { icon: X, color: 'red' },
  not_created: { icon: X, color: 'gray' },
  unknown: { icon: CircleHelp, color: 'yellow' },
  open: { icon: CircleHelp, color: 'yellow' },
  skipped: { icon: Ban, color: 'gray' },
  withdrawn: { icon: Undo2, color: 'gray' },
  planned: { icon: CircleDashed, color: 'gray' },
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
  const { icon: Icon, color } = marks[result];
  return (
    <li data-outcome={result}>
      <ThemeIcon variant="light" color={color} radius="xl" size={24} className={classes.mark} aria-hidden>
        <Icon size={14} />
      </ThemeIcon>
      <Group gap="xs" style={{ rowGap: 0 }}>
        <Text span size="sm" fw={500}>
          {account ? `${account} (${providerName(provider)})` : providerName(provider)}
        </Text>
        <Badge variant="dot" size="sm" tt="none" color={color}>
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

/** Draws the candidates in their order on a line, which is dashed before those that were not needed. */
export function TimelineRouting({
  attempts,
  credentials,
}: {
  attempts: Attempt[];
  credentials: Investigation['credentials'];
}) {
  const text = useTexts(messages);
  return (
    <ol className={classes.route} aria-label={text.route}>
      {attempts.map((attempt) => (
        <RoutingAttempt
          key={attempt.id}
          attempt={attempt}
          account={credentials.find(({ id }) => id === attempt.credentialId)?.name}
        />
      ))}
    </ol>
  );
}
