import {
  Box,
  Button,
  Group,
  Paper,
  Select,
  Stack,
  Table,
  UnstyledButton,
  VisuallyHidden,
} from '@mantine/core';
import { ArrowDown, ArrowUp } from 'lucide-react';
import { Fragment, type ReactNode } from 'react';
import { texts, useTexts } from '../base/language.tsx';
import { pageSizes, usePageSize } from '../base/page-size.ts';
import type { More } from '../base/use-service.ts';
import classes from './data-table.module.css';
import { WideDash } from './clipped-text.tsx';
import { ErrorAlert } from './error-alert.tsx';
import { useRowKeys } from './use-row-keys.ts';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  /** Never broken into lines, such as a date with its time. */
  isWhole?: boolean;
  /** Takes what room the other columns leave. */
  isFilling?: boolean;
  /** The rows can be sorted by it, and are where it has an `order`. */
  sort?: { order: 'asc' | 'desc' | undefined; toggle: () => void } | undefined;
  /** On narrow screens a row is a card, in which it has this place. Once a column has one, those without are hidden there. */
  narrow?: 'title' | 'mark' | 'note' | 'aside' | 'foot' | 'end' | 'below';
}

/** Rows that are read page by page. */
export interface Pages {
  more: More | undefined;
  /** Nobody chooses how many there are at once. */
  isFixed?: boolean;
}

interface DataTableProps<Row> {
  /** Read out by screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  /** Makes the whole row follow the link in its first cell; J and K move between them. */
  isLinked?: boolean;
  /** Stands below the row, across all columns. */
  detail?: (row: Row) => ReactNode;
  empty: ReactNode;
  pages?: Pages;
}

const messages = texts(
  {
    more: 'Carregar mais',
    actions: 'Ações',
    size: 'Linhas por vez',
    atOnce: (size: number) => `${size} por vez`,
  },
  {
    more: 'Load more',
    actions: 'Actions',
    size: 'Rows at a time',
    atOnce: (size: number) => `${size} at a time`,
  },
);

/** Where a row has nothing to say, a dash tells it from what is not loaded; not where the buttons of a row would be. */
function Cell({ header, content }: { header: string; content: ReactNode }) {
  const isEmpty = content === null || content === undefined || content === '' || content === false;
  return isEmpty && header !== '' ? <WideDash /> : content;
}

function Header({ header, sort }: Pick<Column<never>, 'header' | 'sort'>) {
  const text = useTexts(messages);
  if (!sort) return header || <VisuallyHidden>{text.actions}</VisuallyHidden>;
  const Arrow = sort.order === 'asc' ? ArrowUp : ArrowDown;
  return (
    <UnstyledButton className={classes.sort} fz="inherit" data-sorted={sort.order} onClick={sort.toggle}>
      {header}
      <Arrow size={14} aria-hidden />
    </UnstyledButton>
  );
}

const ariaSort = { asc: 'ascending', desc: 'descending' } as const;

function Foot({ more, isFixed = false }: Pages) {
  const text = useTexts(messages);
  const [size, setSize] = usePageSize();
  return (
    <Stack p="sm" gap="xs">
      <ErrorAlert error={more?.error} />
      <Group justify="center">
        {more && (
          <Button variant="subtle" loading={more.isLoading} onClick={more.load}>
            {text.more}
          </Button>
        )}
        {!isFixed && (
          <Select
            aria-label={text.size}
            size="xs"
            w={130}
            allowDeselect={false}
            value={String(size)}
            data={pageSizes.map((value) => ({ value: String(value), label: text.atOnce(value) }))}
            onChange={(chosen) => {
              setSize(pageSizes.find((value) => String(value) === chosen) ?? size);
            }}
          />
        )}
      </Group>
    </Stack>
  );
}

/** On narrow screens each row becomes a list of its cells with their headers. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  isLinked = false,
  detail,
  empty,
  pages,
}: DataTableProps<Row>) {
  const table = useRowKeys(isLinked);
  if (rows.length === 0) return <Paper withBorder>{empty}</Paper>;
  return (
    <Paper withBorder>
      <Box className={classes.scroll}>
        <Table
          ref={table}
          className={classes.table}
          data-linked={isLinked || undefined}
          data-cards={columns.some(({ narrow }) => narrow) || undefined}
          highlightOnHover
          verticalSpacing="xs"
          horizontalSpacing="md"
        >
          <Table.Caption className={classes.caption}>{caption}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ header, align, sort }) => (
                <Table.Th
                  key={header}
                  ta={align ?? 'left'}
                  data-align={align}
                  scope="col"
                  aria-sort={sort?.order && ariaSort[sort.order]}
                >
                  <Header header={header} sort={sort} />
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Fragment key={keyOf(row)}>
                <Table.Tr>
                  {columns.map(({ header, cell, align, isWhole, isFilling, narrow }) => (
                    <Table.Td
                      key={header}
                      data-header={header}
                      data-align={align}
                      data-whole={isWhole}
                      data-filling={isFilling}
                      data-narrow={narrow}
                    >
                      <Cell header={header} content={cell(row)} />
                    </Table.Td>
                  ))}
                </Table.Tr>
                {detail?.(row) && (
                  <Table.Tr className={classes.detail}>
                    <Table.Td colSpan={columns.length}>{detail(row)}</Table.Td>
                  </Table.Tr>
                )}
              </Fragment>
            ))}
          </Table.Tbody>
        </Table>
      </Box>
      {pages && (pages.more || (rows.length > pageSizes[0] && !pages.isFixed)) && <Foot {...pages} />}
    </Paper>
  );
}
