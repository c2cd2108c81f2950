import { Anchor, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { useId } from 'react';
import { Link } from 'wouter';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';
import { CopyIcon } from '../../ui/copying/copy-button.tsx';
import { kindTexts, resolutionTexts } from './difference-texts.ts';
import type { Difference } from './documents.ts';
import { SettleButton } from './settle-button.tsx';

const messages = texts(
  {
    open: 'Em aberto',
    settled: 'Resolvida',
    bank: (amount: string) => `No extrato: ${amount}`,
    own: (amount: string) => `Neste serviço: ${amount}`,
    unreadable: (members: string) => `Ilegível: ${members}`,
    returned: (amount: string) => `Já devolvido ou retirado: ${amount}`,
    endToEndId: 'ID do Pix (EndToEndId)',
    payment: 'Ver pagamento',
    assignedTo: 'Ver pagamento atribuído',
    by: (who: string, at: string) => `${who}, ${at}`,
    operator: 'Operador do serviço',
    service: 'O serviço',
    onlyOwners: 'Somente proprietários podem resolver divergências.',
  },
  {
    open: 'Open',
    settled: 'Settled',
    bank: (amount: string) => `On the statement: ${amount}`,
    own: (amount: string) => `In this service: ${amount}`,
    unreadable: (members: string) => `Unreadable: ${members}`,
    returned: (amount: string) => `Refunded or reversed so far: ${amount}`,
    endToEndId: 'End-to-end ID',
    payment: 'View payment',
    assignedTo: 'View assigned payment',
    by: (who: string, at: string) => `${who}, ${at}`,
    operator: 'Service operator',
    service: 'The service',
    onlyOwners: 'Only owners can settle differences.',
  },
);

function Settlement({ settlement }: { settlement: NonNullable<Difference['settlement']> }) {
  const text = useTexts(messages);
  const resolutions = useTexts(resolutionTexts);
  const { dateTime } = useFormats();
  const { resolution, reason, paymentId, settledBy, settledAt } = settlement;
  const isMatched = resolution === 'matched';
  const who = settledBy === 'operator' ? text.operator : isMatched ? text.service : settledBy;
  const { done, about } = resolutions[resolution];
  return (
    <Stack gap={2}>
      <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
        <strong>{done}:</strong> {isMatched ? about : reason}
      </Text>
      <Text size="xs">{text.by(who, dateTime(settledAt))}</Text>
      {paymentId && (
        <Anchor component={Link} href={`/payments/${paymentId}`} size="sm" w="fit-content">
          {isMatched ? text.payment : text.assignedTo}
        </Anchor>
      )}
    </Stack>
  );
}

export function DifferenceCard({ difference }: { difference: Difference }) {
  const text = useTexts(messages);
  const kinds = useTexts(kindTexts);
  const { money } = useFormats();
  const { may } = useWorkplace();
  const titleId = useId();
  const { kind, state, amount, ownAmount, returned, unreadableMembers, endToEndId, paymentId, settlement } =
    difference;
  const { title, about } = kinds[kind];
  const shownAmount = amount ?? ownAmount;
  const heading = shownAmount === null ? title : `${title}, ${money(shownAmount)}`;
  const facts = [
    unreadableMembers.length > 0 && text.unreadable(unreadableMembers.join(', ')),
    amount !== null && text.bank(money(amount)),
    ownAmount !== null && text.own(money(ownAmount)),
    returned !== null && returned > 0 && text.returned(money(returned)),
  ].filter((fact) => fact !== false);
  return (
    <Paper component="article" withBorder p="md" aria-labelledby={titleId}>
      <Stack gap="xs">
        <Group justify="space-between" align="flex-start">
          <Title order={3} size="h5" id={titleId}>
            {heading}
          </Title>
          <Badge variant="dot" color={state === 'open' ? 'orange' : 'teal'} tt="none">
            {text[state]}
          </Badge>
        </Group>
        {facts.length > 0 && <Text size="sm">{facts.join(' · ')}</Text>}
        {state === 'open' && (
          <Text size="sm" maw={720}>
            {about}
          </Text>
        )}
        {endToEndId && (
          <Group gap={4} wrap="nowrap">
            <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
              {endToEndId}
            </Text>
            <CopyIcon value={endToEndId} label={text.endToEndId} />
          </Group>
        )}
        {settlement && <Settlement settlement={settlement} />}
        <Group justify="space-between">
          {paymentId ? (
            <Anchor component={Link} href={`/payments/${paymentId}`} size="sm">
              {text.payment}
            </Anchor>
          ) : (
            <span />
          )}
          {may('books:settle') ? (
            <SettleButton difference={difference} title={heading} />
          ) : (
            state === 'open' && <Text size="xs">{text.onlyOwners}</Text>
          )}
        </Group>
      </Stack>
    </Paper>
  );
}
