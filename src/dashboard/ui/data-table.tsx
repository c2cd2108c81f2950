import { Button, Paper, Stack, Table, VisuallyHidden } from '@mantine/core';
import { Fragment, type ReactNode } from 'react';
import { texts, useTexts } from '../shell/language.tsx';
import classes from './data-table.module.css';
import { FailureAlert } from './error-alert.tsx';

export interface Column<Row> {
  header: string;
  cell: (row: Row) => ReactNode;
  /** Numbers are read from the right. */
  align?: 'right';
  /** Its place in the card that a narrow row becomes, once one column has a place; those without are left out. */
  narrow?: 'title' | 'mark' | 'note' | 'aside';
}

export interface More {
  load: () => void;
  isLoading: boolean;
  error: unknown;
}

interface DataTableProps<Row> {
  /** What the rows are, for who does not see the heading beside them. */
  caption: string;
  columns: Column<Row>[];
  rows: Row[];
  keyOf: (row: Row) => string;
  /** The whole row leads where the link in its first cell leads. */
  isLinked?: boolean;
  /** Below a row, over all columns. */
  detail?: (row: Row) => ReactNode;
  /** Shown instead of a table without rows. */
  empty: ReactNode;
  /** When there are more rows. */
  more?: More | undefined;
}

const said = texts({ more: 'Carregar mais', actions: 'Ações' }, { more: 'Load more', actions: 'Actions' });

/** A table; where it is too narrow for one, each row becomes a list of its cells with their headers. */
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
  const text = useTexts(said);
  if (rows.length === 0) return <Paper withBorder>{empty}</Paper>;
  return (
    <Paper withBorder>
      <Table
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
      {more && (
        <Stack p="sm" align="center">
          <FailureAlert error={more.error} />
          <Button variant="subtle" loading={more.isLoading} onClick={more.load}>
            {text.more}
          </Button>
        </Stack>
      )}
    </Paper>
  );
}
