import type { Node } from 'libpg-query';
import type { Statement } from './statements.ts';

interface Index {
  table: string;
  columns: string[];
  /** All of them hold for the rows that a partial index has. */
  conditions: string[];
}

/** What the migrations so far have made, as far as the rules ask. */
export interface KnownSchema {
  /** The migration that created a table, type, function or trigger, by `kind name`. */
  createdIn(object: string): string | undefined;
  /**
   * Whether an index other than this one begins with its columns and has its rows, but for those without a value in one of the
   * columns, which nobody compares.
   */
  hasIndexLike(name: string): boolean;
  /** Whether a constraint that was validated forbids NULL. */
  isKnownNotNull(table: string, column: string): boolean;
  /** Whether a column has a value even if a node does not give one. */
  isFilled(table: string, column: string): boolean;
  add(migration: string, statements: readonly Statement[]): void;
}

const [beforeRow, onInsert] = [2, 4];
export const stringOf = (node: Node | undefined): string =>
  (node && 'String' in node && node.String.sval) || '';

/** The column in `column IS NOT NULL`. */
function columnNotNull(expression: Node | undefined): string | undefined {
  if (!expression || !('NullTest' in expression)) return undefined;
  const { arg, nulltesttype } = expression.NullTest;
  if (nulltesttype !== 'IS_NOT_NULL' || !arg || !('ColumnRef' in arg)) return undefined;
  return stringOf(arg.ColumnRef.fields?.at(-1));
}

/** Leaves out places in the source. */
const textOf = (node: Node): string =>
  JSON.stringify(node, (key, value: unknown) => (/location$|_(start|end)$/.test(key) ? undefined : value));

const partsOf = (where: Node): Node[] =>
  'BoolExpr' in where && where.BoolExpr.boolop === 'AND_EXPR'
    ? (where.BoolExpr.args ?? []).flatMap(partsOf)
    : [where];

const hasValue = (column: string): string => `${column} IS NOT NULL`;

/** The conditions of a partial index. */
const conditionsOf = (where: Node | undefined): string[] =>
  (where ? partsOf(where) : []).map((part) => {
    const column = columnNotNull(part);
    return column === undefined ? textOf(part) : hasValue(column);
  });

export function createKnownSchema(): KnownSchema {
  const created = new Map<string, string>();
  const indexes = new Map<string, Index>();
  /** Column by table and constraint. */
  const checks = new Map<string, string>();
  const notNull = new Set<string>();
  const filled = new Set<string>();

  /** What is replaced later was there before. */
  const create = (object: string, migration: string): void => {
    if (!created.has(object)) created.set(object, migration);
  };

  function addColumns(table: string, elements: readonly Node[] = []): void {
    for (const element of elements) {
      if (!('ColumnDef' in element)) continue;
      const { colname = '', constraints = [] } = element.ColumnDef;
      const hasDefault = constraints.some(
        (each) => 'Constraint' in each && each.Constraint.contype === 'CONSTR_DEFAULT',
      );
      if (hasDefault) filled.add(`${table}.${colname}`);
    }
  }

  function alter(table: string, commands: readonly Node[] = []): void {
    for (const command of commands) {
      if (!('AlterTableCmd' in command)) continue;
      const { subtype, name = '', def } = command.AlterTableCmd;
      if (subtype === 'AT_AddColumn') addColumns(table, def && [def]);
      if (subtype === 'AT_ColumnDefault' && def) filled.add(`${table}.${name}`);
      if (subtype === 'AT_AddConstraint' && def && 'Constraint' in def) {
        const column = columnNotNull(def.Constraint.raw_expr);
        if (column) checks.set(`${table}.${def.Constraint.conname}`, column);
      }
      const column = checks.get(`${table}.${name}`);
      if (subtype === 'AT_ValidateConstraint' && column) notNull.add(`${table}.${column}`);
    }
  }

  function addOne(migration: string, node: Node): void {
    if ('CreateStmt' in node) {
      const table = node.CreateStmt.relation?.relname ?? '';
      create(`table ${table}`, migration);
      addColumns(table, node.CreateStmt.tableElts);
    } else if ('AlterTableStmt' in node) {
      alter(node.AlterTableStmt.relation?.relname ?? '', node.AlterTableStmt.cmds);
    } else if ('IndexStmt' in node) {
      const { idxname = '', relation, indexParams = [], whereClause } = node.IndexStmt;
      const columns = indexParams.map((each) => ('IndexElem' in each && each.IndexElem.name) || '');
      indexes.set(idxname, {
        table: relation?.relname ?? '',
        columns,
        conditions: conditionsOf(whereClause),
      });
    } else if ('CreateEnumStmt' in node) {
      create(`type ${stringOf(node.CreateEnumStmt.typeName?.at(-1))}`, migration);
    } else if ('CreateFunctionStmt' in node) {
      create(`function ${stringOf(node.CreateFunctionStmt.funcname?.at(-1))}`, migration);
    } else if ('CreateTrigStmt' in node) {
      const { trigname, relation, timing = 0, events = 0 } = node.CreateTrigStmt;
      create(`trigger ${trigname}`, migration);
      if (timing & beforeRow && events & onInsert) filled.add(`${relation?.relname}.*`);
    }
  }

  return {
    createdIn: (object) => created.get(object),
    hasIndexLike(name) {
      const dropped = indexes.get(name);
      if (!dropped) return false;
      const known = new Set([...dropped.conditions, ...dropped.columns.map(hasValue)]);
      return [...indexes].some(
        ([other, { table, columns, conditions }]) =>
          other !== name &&
          table === dropped.table &&
          dropped.columns.every((column, position) => columns[position] === column) &&
          conditions.every((condition) => known.has(condition)),
      );
    },
    isKnownNotNull: (table, column) => notNull.has(`${table}.${column}`),
    isFilled: (table, column) => filled.has(`${table}.${column}`) || filled.has(`${table}.*`),
    add(migration, statements) {
      for (const { node } of statements) addOne(migration, node);
    },
  };
}
