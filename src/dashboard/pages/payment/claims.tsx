import { Anchor, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { disputeStateTexts, reversalReasonTexts } from '../../parts/event-texts.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { PaymentDetail } from './base/documents.ts';
import { LongBadge } from './base/long-badge.tsx';
import classes from './payment-details.module.css';
import { BorderedSection } from '../../ui/page.tsx';

const messages = texts(
  {
    title: 'Contestações e devoluções pelo banco',
    dispute: 'Contestação',
    answer: 'Ver e responder',
    show: 'Ver contestação',
    reversal: 'Devolução',
    statuses: { pending: 'em andamento', completed: 'concluída', failed: 'não realizada' },
    reason: (code: string) => `Código do motivo no provedor: ${code}.`,
    opened: (at: string) => `Aberta em ${at}.`,
    defenceUntil: (at: string) => `Defesa até ${at}.`,
    closed: (at: string) => `Encerrada em ${at}.`,
    reversed: (at: string) => `Em ${at}.`,
  },
  {
    title: 'Disputes and reversals',
    dispute: 'Dispute',
    answer: 'See and answer',
    show: 'See dispute',
    reversal: 'Reversal',
    statuses: { pending: 'in progress', completed: 'completed', failed: 'not carried out' },
    reason: (code: string) => `The provider’s code for the reason: ${code}.`,
    opened: (at: string) => `Opened on ${at}.`,
    defenceUntil: (at: string) => `Defence until ${at}.`,
    closed: (at: string) => `Closed on ${at}.`,
    reversed: (at: string) => `On ${at}.`,
  },
);

const statusColors = { pending: 'yellow', completed: 'red', failed: 'gray' };
const stateColors = { open: 'yellow', won: 'teal', lost: 'red' };

interface ClaimProps {
  title: string;
  state: { color: string; text: string };
  children: ReactNode;
}

const Claim = ({ title, state, children }: ClaimProps) => (
  <Stack component="li" gap={2}>
    <Group gap="xs">
      <Text span fw={500} size="sm">
        {title}
      </Text>
      <LongBadge color={state.color}>{state.text}</LongBadge>
    </Group>
    <Text size="sm" c="dimmed" className={classes.sentences}>
      {children}
    </Text>
  </Stack>
);

function Dispute({ dispute }: { dispute: PaymentDetail['disputes'][number] }) {
  const text = useTexts(messages);
  const states = useTexts(disputeStateTexts);
  const { money, dateTime } = useFormats();
  const { id, amount, state, reason, openedAt, createdAt, defenceUntil, closedAt } = dispute;
  return (
    <Claim
      title={`${text.dispute}: ${money(amount)}`}
      state={{ color: stateColors[state], text: states[state] }}
    >
      {text.opened(dateTime(openedAt ?? createdAt))}{' '}
      {state === 'open' && defenceUntil && text.defenceUntil(dateTime(defenceUntil))}{' '}
      {closedAt && text.closed(dateTime(closedAt))} {reason && text.reason(reason)}{' '}
      <Anchor component={Link} href={`/disputes/${id}`} size="sm" underline="always">
        {state === 'open' ? text.answer : text.show}
      </Anchor>
    </Claim>
  );
}

function Reversal({ reversal }: { reversal: PaymentDetail['reversals'][number] }) {
  const text = useTexts(messages);
  const reasons = useTexts(reversalReasonTexts);
  const { money, dateTime } = useFormats();
  const { amount, reason, status, reversedAt, createdAt } = reversal;
  return (
    <Claim
      title={`${text.reversal}: ${money(amount)}`}
      state={{ color: statusColors[status], text: text.statuses[status] }}
    >
      {reasons[reason]}. {text.reversed(dateTime(reversedAt ?? createdAt))}
    </Claim>
  );
}

/** Shows who wants the money back, or has it. Renders nothing without any. */
export function Claims({ disputes, reversals }: Pick<PaymentDetail, 'disputes' | 'reversals'>) {
  const text = useTexts(messages);
  if (disputes.length + reversals.length === 0) return null;
  return (
    <BorderedSection title={text.title}>
      <Stack component="ul" gap="sm" m={0} p={0} style={{ listStyle: 'none' }}>
        {disputes.map((dispute) => (
          <Dispute key={dispute.id} dispute={dispute} />
        ))}
        {reversals.map((reversal) => (
          <Reversal key={reversal.id} reversal={reversal} />
        ))}
      </Stack>
    </BorderedSection>
  );
}
