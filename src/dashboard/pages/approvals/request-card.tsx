import { Anchor, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Link } from 'wouter';
import { type ApprovableAction, approvableActions } from '../../../core/people/rules/approval.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useWorkplace, workplacePath } from '../../base/use-workplace.ts';
import { accountsOf, isRules } from '../rule-sets/base/accounts.ts';
import type { Account } from '../rule-sets/base/documents.ts';
import { RuleChanges } from '../rule-sets/base/rule-changes.tsx';
import { Changes } from './changes.tsx';
import { Decisions } from './decisions.tsx';
import type { ApprovalRequest } from './documents.ts';
import { useFailureText } from './failure-text.ts';
import { approvalStatusTexts, requestTexts } from './request-texts.ts';

const messages = texts(
  {
    asked: (who: string, at: string) => `Solicitado por ${who} em ${at}`,
    expires: (at: string) => `expira em ${at}`,
    decided: (who: string, at: string) => `Decidido por ${who} em ${at}`,
    operator: 'operador do serviço',
    reason: 'Motivo:',
    payment: 'Ver pagamento',
    recurrence: 'Ver recorrência',
  },
  {
    asked: (who: string, at: string) => `Requested by ${who} on ${at}`,
    expires: (at: string) => `expires on ${at}`,
    decided: (who: string, at: string) => `Decided by ${who} on ${at}`,
    operator: 'the service operator',
    reason: 'Reason:',
    payment: 'View payment',
    recurrence: 'View recurrence',
  },
);

const colors: Record<ApprovalRequest['status'], string> = {
  pending: 'yellow',
  approved: 'teal',
  rejected: 'red',
  withdrawn: 'gray',
  expired: 'gray',
  failed: 'red',
};

const isApprovable = (action: string): action is ApprovableAction => action in approvableActions;

function History({ request }: { request: ApprovalRequest }) {
  const text = useTexts(messages);
  const { dateTime } = useFormats();
  const { requestedBy, createdAt, expiresAt, status, decidedBy, decidedAt, failure } = request;
  const failureText = useFailureText();
  const reason = failure ? failureText(failure) : request.reason;
  const who = decidedBy === 'operator' ? text.operator : decidedBy;
  return (
    <Stack gap={0}>
      <Text size="sm" c="dimmed">
        {text.asked(requestedBy, dateTime(createdAt))}
        {status === 'pending' && `, ${text.expires(dateTime(expiresAt))}`}
      </Text>
      {who && decidedAt && (
        <Text size="sm" c="dimmed">
          {text.decided(who, dateTime(decidedAt))}
        </Text>
      )}
      {reason && (
        <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
          {text.reason} {reason}
        </Text>
      )}
    </Stack>
  );
}

interface RequestCardProps {
  request: ApprovalRequest;
  credentials: readonly Account[];
  onSecret: (secret: string) => void;
}

export function RequestCard({ request, credentials, onSecret }: RequestCardProps) {
  const text = useTexts(messages);
  const titles = useTexts(requestTexts);
  const statuses = useTexts(approvalStatusTexts);
  const { organizationId } = useWorkplace();
  const { action, subject, status, before, after } = request;
  const names = new Map(credentials.map(({ id, name }) => [id, name]));
  const title = isApprovable(action) ? titles[action] : action;
  const place = (['payment', 'recurrence'] as const).find((each) => action.startsWith(`${each}.`));
  const live = workplacePath({ organizationId, mode: 'live' });
  return (
    <Paper withBorder p="md" component="article" aria-label={title}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Title order={2} size="h4">
            {title}
          </Title>
          <Badge variant="dot" color={colors[status]} tt="none">
            {statuses[status]}
          </Badge>
        </Group>
        <Changes request={request} names={names} />
        {status === 'pending' && isRules(before) && isRules(after) && (
          <RuleChanges mode="live" before={before} after={after} accounts={accountsOf(credentials)} />
        )}
        {place && subject && (
          <Anchor component={Link} href={`~/dashboard${live}/${place}s/${subject}`} size="sm">
            {text[place]}
          </Anchor>
        )}
        <History request={request} />
        <Decisions request={request} title={title} onSecret={onSecret} />
      </Stack>
    </Paper>
  );
}
