import { Anchor, Badge, Menu, Text } from '@mantine/core';
import type { ReactNode } from 'react';
import { Link } from 'wouter';
import { bookPath } from '../../parts/book-path.ts';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { ClippedText } from '../../ui/clipped-text.tsx';
import { type Column, DataTable } from '../../ui/data-table.tsx';
import { noonOf } from '../../ui/date-range/months.ts';
import type { ReceiptsResult } from './documents.ts';

const messages = texts(
  {
    byCredential: 'Recebimentos por credencial',
    byDay: 'Recebimentos por dia',
    day: 'Dia',
    provider: 'Provedor',
    credential: 'Credencial',
    pix: 'Pix',
    gross: 'Bruto',
    refunded: 'Estornos',
    reversed: 'Devolução pelo banco',
    net: 'Após estornos',
    fees: 'Tarifas',
    expected: (fee: string) => `esperadas: ${fee}`,
    books: 'Conciliação',
    agrees: 'Confere',
    none: 'Sem extrato',
    differs: 'Diferença',
    sandbox: 'Sandbox',
  },
  {
    byCredential: 'Receipts by credential',
    byDay: 'Receipts by day',
    day: 'Day',
    provider: 'Provider',
    credential: 'Credential',
    pix: 'Pix',
    gross: 'Gross',
    refunded: 'Refunded',
    reversed: 'Reversed',
    net: 'After refunds',
    fees: 'Fees',
    expected: (fee) => `expected: ${fee}`,
    books: 'Reconciliation',
    agrees: 'Matches',
    none: 'No statement',
    differs: 'Difference',
    sandbox: 'Sandbox',
  },
);

type Group = ReceiptsResult['groups'][number];
type Day = ReceiptsResult['days'][number];

type Fees = Pick<Group, 'fee' | 'expectedFee'>;

function FeesCell({ fee, expectedFee }: Fees) {
  const text = useTexts(messages);
  const { money } = useFormats();
  return (
    <>
      {fee !== null && money(fee)}
      {expectedFee !== null && (
        <Text size="xs" c="dimmed">
          {text.expected(money(expectedFee))}
        </Text>
      )}
    </>
  );
}

/** None where no statement and no credential tells any. */
function useFeesColumn<Row>(rows: readonly Row[], feesOf: (row: Row) => Fees | null): Column<Row>[] {
  const text = useTexts(messages);
  const isAnyKnown = rows
    .map(feesOf)
    .some((fees) => fees && (fees.fee !== null || fees.expectedFee !== null));
  if (!isAnyKnown) return [];
  return [
    {
      header: text.fees,
      align: 'right',
      cell: (row) => {
        const fees = feesOf(row);
        return fees && <FeesCell {...fees} />;
      },
    },
  ];
}

function useSumColumns(): Column<Omit<Group, 'provider' | 'credentialId' | 'credentialName' | keyof Fees>>[] {
  const text = useTexts(messages);
  const { money, count } = useFormats();
  return [
    {
      header: text.pix,
      align: 'right',
      narrow: 'aside',
      cell: ({ pixCount }) => (
        <>
          {count(pixCount)}
          <Text span inherit hiddenFrom="sm">
            {' '}
            {text.pix}
          </Text>
        </>
      ),
    },
    { header: text.gross, align: 'right', cell: ({ gross }) => money(gross) },
    { header: text.refunded, align: 'right', cell: ({ refunded }) => money(refunded) },
    { header: text.reversed, align: 'right', cell: ({ reversed }) => money(reversed) },
    { header: text.net, align: 'right', narrow: 'title', cell: ({ net }) => <strong>{money(net)}</strong> },
  ];
}

export function CredentialTable({ groups }: { groups: Group[] }) {
  const text = useTexts(messages);
  const providerName = useProviderName();
  const sums = useSumColumns();
  const fees = useFeesColumn(groups, (group) => group);
  const columns: Column<Group>[] = [
    { header: text.provider, narrow: 'note', cell: ({ provider }) => providerName(provider) },
    {
      header: text.credential,
      narrow: 'mark',
      cell: ({ credentialName }) => <ClippedText>{credentialName}</ClippedText>,
    },
    ...sums,
    ...fees,
  ];
  return (
    <DataTable
      caption={text.byCredential}
      columns={columns}
      rows={groups}
      keyOf={({ provider, credentialId }) => `${provider} ${credentialId}`}
      empty={null}
    />
  );
}

interface BookLinkProps {
  date: string;
  statements: NonNullable<Day['book']>['statements'];
  children: ReactNode;
}

/** Leads to the books of the day, or to a choice of them where several accounts have some. */
function BookLink({ date, statements, children }: BookLinkProps) {
  const text = useTexts(messages);
  const [only, ...others] = statements;
  if (only && others.length === 0) {
    return (
      <Anchor component={Link} href={bookPath(only.credentialId, date)} size="sm">
        {children}
      </Anchor>
    );
  }
  return (
    <Menu position="bottom-end" shadow="md">
      <Menu.Target>
        <Anchor component="button" type="button" size="sm">
          {children}
        </Anchor>
      </Menu.Target>
      <Menu.Dropdown maw={320}>
        {statements.map(({ credentialId, credentialName }) => (
          <Menu.Item key={credentialId} component={Link} href={bookPath(credentialId, date)}>
            <ClippedText>
              {credentialId === null ? text.sandbox : (credentialName ?? credentialId)}
            </ClippedText>
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  );
}

/** Says what the books say, and links to them. */
function BookCell({ date, book }: Pick<Day, 'date' | 'book'>) {
  const text = useTexts(messages);
  const { money } = useFormats();
  if (!book) {
    return (
      <Text size="sm" c="dimmed" span>
        {text.none}
      </Text>
    );
  }
  const differs = book.difference !== 0;
  return (
    <BookLink date={date} statements={book.statements}>
      {differs ? (
        <>
          <Badge color="orange" variant="light" tt="none">
            {text.differs}
          </Badge>{' '}
          {money(book.difference)}
        </>
      ) : (
        text.agrees
      )}
    </BookLink>
  );
}

export function DayTable({ days }: { days: Day[] }) {
  const text = useTexts(messages);
  const { dateLocale } = useFormats();
  const sums = useSumColumns();
  const fees = useFeesColumn(days, ({ book }) => book);
  const format = new Intl.DateTimeFormat(dateLocale, { dateStyle: 'medium', timeZone: 'UTC' });
  const columns: Column<Day>[] = [
    { header: text.day, narrow: 'note', cell: ({ date }) => format.format(noonOf(date)) },
    ...sums,
    ...fees,
    { header: text.books, narrow: 'mark', cell: (day) => <BookCell {...day} /> },
  ];
  return (
    <DataTable caption={text.byDay} columns={columns} rows={days} keyOf={({ date }) => date} empty={null} />
  );
}
