import { Box, Button, Paper, Stack, Table, VisuallyHidden } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { texts, useTexts } from '../shell/language.tsx';
import classes from './data-table.module.css';
import { ErrorAlert } from './error-alert.tsx';
import { useRowKeys } from './use-row-keys.ts';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  align?: 'right';
  /** Place in the card that replaces a row on narrow screens. If any column has one, columns without are hidden there. */
  narrow?: 'title' | 'mark' | 'note' | 'aside';
}

export interface More {
  load: () => void;
  isLoading: boolean;
  error: unknown;
}

interface DataTableProps<Row> {
  /** For screen readers. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  /** Makes the whole row follow the link in its first cell; J and K move between them. */
  isLinked?: boolean;
  /** Rendered below the row, across all columns. */
  detail?: (row: Row) => ReactNode;
  empty: ReactNode;
  more?: More | undefined;
}

const messages = texts(
  { more: 'Carregar mais', actions: 'Ações' },
  { more: 'Load more', actions: 'Actions' },
);

/** On narrow screens each row becomes a list of its cells with their headers. */
export function DataTable<Row>({
  caption,
  columns,
  rows,
  keyOf,
  isLinked = false,
  detail,
  empty,
  more,
}: DataTableProps<Row>) {
  const text = useTexts(messages);
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
          verticalSpacing="sm"
          horizontalSpacing="md"
        >
          <Table.Caption className={classes.caption}>{caption}</Table.Caption>
          <Table.Thead>
            <Table.Tr>
              {columns.map(({ header, align }) => (
                <Table.Th key={header} ta={align ?? 'left'} scope="col">
                  {header || <VisuallyHidden>{text.actions}</VisuallyHidden>}
                </Table.Th>
              ))}
            </Table.Tr>
          </Table.Thead>
          <Table.Tbody>
            {rows.map((row) => (
              <Fragment key={keyOf(row)}>
                <Table.Tr>
                  {columns.map(({ header, cell, align, narrow }) => (
                    <Table.Td key={header} data-header={header} data-align={align} data-narrow={narrow}>
                      {cell(row)}
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
      {more && (
        <Stack p="sm" align="center">
          <ErrorAlert error={more.error} />
          <Button variant="subtle" loading={more.isLoading} onClick={more.load}>
            {text.more}
          </Button>
        </Stack>
      )}
    </Paper>
  );
}
