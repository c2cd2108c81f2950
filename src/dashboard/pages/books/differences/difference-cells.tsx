import { Anchor, Badge, Group, Text } from '@mantine/core';
import { Link } from 'wouter';
import { isRefundable } from '../../../../core/books/rules/resolutions.ts';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { useWorkplace } from '../../../base/use-workplace.ts';
import { CopyIcon } from '../../../ui/copying/copy-button.tsx';
import { RefundButton } from '../../payment/refunds/refund-button.tsx';
import { kindTexts, resolutionTexts } from './difference-texts.ts';
import type { Difference } from '../base/documents.ts';
import { SettleButton } from './settle-button.tsx';

const messages = texts(
  {
    open: 'Em aberto',
    settled: 'Resolvida',
    unreadable: (members: string) => `Ilegível: ${members}`,
    returned: (amount: string) => `Já estornado ou devolvido: ${amount}`,
    endToEndId: 'ID do Pix (EndToEndId)',
    payment: 'Ver pagamento',
    assignedTo: 'Ver pagamento atribuído',
    operator: 'Operador do serviço',
    service: 'O serviço',
  },
  {
    open: 'Open',
    settled: 'Settled',
    unreadable: (members: string) => `Unreadable: ${members}`,
    returned: (amount: string) => `Refunded or reversed so far: ${amount}`,
    endToEndId: 'End-to-end ID',
    payment: 'View payment',
    assignedTo: 'View assigned payment',
    operator: 'Service operator',
    service: 'The service',
  },
);

/** Its kind and amount, for dialogs and screen readers. */
export function useDifferenceTitle(): (difference: Difference) => string {
  const kinds = useTexts(kindTexts);
  const { money } = useFormats();
  return ({ kind, amount, ownAmount }) => {
    const shown = amount ?? ownAmount;
    return shown === null ? kinds[kind].title : `${kinds[kind].title}, ${money(shown)}`;
  };
}

/** What is to be known of a difference beside its amounts. */
export function DifferenceNotes({ difference: { unreadableMembers, returned } }: { difference: Difference }) {
  const text = useTexts(messages);
  const { money } = useFormats();
  const notes = [
    unreadableMembers.length > 0 && text.unreadable(unreadableMembers.join(', ')),
    returned !== null && returned > 0 && text.returned(money(returned)),
  ].filter((note) => note !== false);
  return notes.map((note) => (
    <Text key={note} size="xs" c="dimmed">
      {note}
    </Text>
  ));
}

export function PixCell({ difference: { endToEndId, paymentId } }: { difference: Difference }) {
  const text = useTexts(messages);
  return (
    <div>
      {endToEndId && (
        <Group gap={4} wrap="nowrap">
          <Text size="xs" maw={150} style={{ overflowWrap: 'anywhere' }}>
            {endToEndId}
          </Text>
          <CopyIcon value={endToEndId} label={text.endToEndId} />
        </Group>
      )}
      {paymentId && (
        <Anchor component={Link} href={`/payments/${paymentId}`} size="sm">
          {text.payment}
        </Anchor>
      )}
    </div>
  );
}

export function DifferenceState({ difference: { state } }: { difference: Difference }) {
  const text = useTexts(messages);
  return (
    <Badge variant="dot" color={state === 'open' ? 'orange' : 'teal'} tt="none">
      {text[state]}
    </Badge>
  );
}

/** Who settled it, how and why. */
export function Settlement({ settlement }: { settlement: NonNullable<Difference['settlement']> }) {
  const text = useTexts(messages);
  const resolutions = useTexts(resolutionTexts);
  const { dateTime } = useFormats();
  const { resolution, reason, paymentId, settledBy, settledAt } = settlement;
  const isMatched = resolution === 'matched';
  const who = settledBy === 'operator' ? text.operator : isMatched ? text.service : settledBy;
  const { done, about } = resolutions[resolution];
  return (
    <Group gap="xs" justify="space-between">
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <strong>{done}:</strong> {isMatched ? about : reason}
      </Text>
      <Group gap="xs">
        <Text size="xs">{`${who}, ${dateTime(settledAt)}`}</Text>
        {paymentId && (
          <Anchor component={Link} href={`/payments/${paymentId}`} size="sm">
            {isMatched ? text.payment : text.assignedTo}
          </Anchor>
        )}
      </Group>
    </Group>
  );
}

export function DifferenceActions({ difference }: { difference: Difference }) {
  const { may } = useWorkplace();
  const title = useDifferenceTitle()(difference);
  const { kind, state, paymentId } = difference;
  return (
    <Group gap="xs" justify="flex-end">
      {state === 'open' && paymentId && isRefundable(kind) && may('payments:refund') && (
        <RefundButton paymentId={paymentId} subject={title} size="compact-sm" />
      )}
      {may('books:settle') && <SettleButton difference={difference} title={title} />}
    </Group>
  );
}
