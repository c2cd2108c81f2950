import { Paper, Table, Text } from '@mantine/core';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import classes from './day-sums.module.css';
import type { BookDay } from './base/documents.ts';

const messages = texts(
  {
    caption: 'Somas do dia',
    bank: 'Extrato',
    own: 'No painel',
    pixCount: 'Pix recebidos',
    received: 'Recebimentos',
    returned: 'Estornos e devoluções pelo banco',
    net: 'Líquido',
    unknown: 'Não informado',
    parts: (refunded: string, reversed: string) =>
      `Estornos: ${refunded}. Devolução pelo banco (MED ou contestação): ${reversed}.`,
    fee: (fee: string) => `Tarifas cobradas pelo provedor: ${fee}.`,
    expectedFee: (fee: string) => `Esperadas pelas tarifas da credencial: ${fee}.`,
    importedAt: (at: string) => `Extrato lido em ${at}.`,
    belongs: 'Estornos e devoluções contam no dia do Pix, mesmo quando feitos depois.',
  },
  {
    caption: 'Sums of the day',
    bank: 'Statement',
    own: 'In the dashboard',
    pixCount: 'Pix received',
    received: 'Received',
    returned: 'Refunded or reversed',
    net: 'Net',
    unknown: 'Not reported',
    parts: (refunded: string, reversed: string) =>
      `Refunded: ${refunded}. Reversed (MED or dispute): ${reversed}.`,
    fee: (fee: string) => `Provider fees charged: ${fee}.`,
    expectedFee: (fee: string) => `Expected by the fees of the credential: ${fee}.`,
    importedAt: (at: string) => `Statement read on ${at}.`,
    belongs: 'Refunds and reversals count on the day of the Pix, whenever they were made.',
  },
);

/** Sets the sums of both sides against each other, line by line. */
export function DaySums({ day }: { day: BookDay }) {
  const text = useTexts(messages);
  const { money, count, dateTime } = useFormats();
  const { received, net, refunded, reversed, fee, expectedFee, ownReceived, ownReturned, importedAt } = day;
  const moneyOr = (amount: number | null) => (amount === null ? text.unknown : money(amount));
  const less = (from: number, amount: number) => (Math.round(from * 100) - Math.round(amount * 100)) / 100;
  const rows: [string, string, string][] = [
    [text.pixCount, count(day.pixCount), count(day.ownPixCount)],
    [text.received, money(received), money(ownReceived)],
    [text.returned, moneyOr(net === null ? null : less(received, net)), money(ownReturned)],
    [text.net, moneyOr(net), money(less(ownReceived, ownReturned))],
  ];
  return (
    <Paper withBorder p="md">
      <Table
        className={classes['sums']}
        captionSide="top"
        verticalSpacing="xs"
        horizontalSpacing={4}
        fz={{ base: 'xs', xs: 'sm' }}
      >
        <Table.Caption ta="start" mb={4}>
          {text.caption}
        </Table.Caption>
        <Table.Thead>
          <Table.Tr>
            <Table.Td />
            <Table.Th scope="col" ta="right">
              {text.bank}
            </Table.Th>
            <Table.Th scope="col" ta="right">
              {text.own}
            </Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rows.map(([label, theirs, ours]) => (
            <Table.Tr key={label}>
              <Table.Th scope="row" fw={400}>
                {label}
              </Table.Th>
              <Table.Td ta="right" fw={theirs === ours ? 400 : 700} className={classes['amount']}>
                {theirs}
              </Table.Td>
              <Table.Td ta="right" className={classes['amount']}>
                {ours}
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      <Text size="xs" mt="sm">
        {[
          refunded !== null && reversed !== null && text.parts(money(refunded), money(reversed)),
          fee !== null && text.fee(money(fee)),
          expectedFee !== null && text.expectedFee(money(expectedFee)),
          text.belongs,
          importedAt !== null && text.importedAt(dateTime(importedAt)),
        ]
          .filter(Boolean)
          .join(' ')}
      </Text>
    </Paper>
  );
}
