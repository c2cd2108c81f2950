import type { AlterTableCmd, ColumnDef, Constraint, IndexStmt, Node } from 'libpg-query';
import { droppedObjects, isConcurrent, lockedTables } from './effects.ts';
import { createKnownSchema, type KnownSchema } from './known-schema.ts';
import { type ParsedMigration, parseMigration, type Statement } from './statements.ts';

export interface MigrationFile {
  name: string;
  sql: string;
}

export interface LintOptions {
  /** The oldest first, each with the names of its migrations up to this one. */
  releases: readonly { version: string; through: string }[];
  /** The last release whose nodes used what a migration drops, by migration. */
  contracts: Readonly<Record<string, string>>;
}

interface Context {
  schema: KnownSchema;
  /** Whether nodes of the release before may be using it. */
  isOld(object: string): boolean;
  /** Whether the release before had stopped using what the migration drops. */
  mayDrop: boolean;
}

/** What nodes of the release before could not live with, or would have to wait for, in words. */
export async function lintMigrations(
  migrations: readonly MigrationFile[],
  { releases, contracts }: LintOptions,
): Promise<string[]> {
  const schema = createKnownSchema();
  const problems: string[] = [];
  for (const { name, sql } of migrations) {
    const parsed = await parseMigration(sql);
    const before = releases.findLastIndex(({ through }) => through < name);
    const baseline = releases[before]?.through;
    const isOld = (object: string): boolean => (schema.createdIn(object) ?? '9') <= (baseline ?? '');
    const lastUse = releases.findIndex(({ version }) => version === contracts[name]);
    const context = { schema, isOld, mayDrop: lastUse >= 0 && lastUse < before };
    // What stands for a whole release runs on empty databases alone.
    const isWhole = releases.some(({ through }) => through === name);
    if (baseline && !isWhole)
      problems.push(...problemsOf(parsed, context).map((problem) => `${name}: ${problem}`));
    schema.add(name, parsed.statements);
  }
  return problems;
}

function problemsOf({ statements, count }: ParsedMigration, context: Context): string[] {
  const isAlone = count === 1;
  const tables = [...new Set(statements.flatMap(({ node }) => lockedTables(node)))];
  const locked = tables.filter((table) => context.isOld(`table ${table}`));
  return [
    ...statements.flatMap((statement) => problemsOfStatement(statement, context)),
    ...(locked.length > 1
      ? [`locks ${locked.join(' and ')}: one table each, as a node may hold one and wait for the other`]
      : []),
    ...(!isAlone && statements.some(({ node }) => isConcurrent(node))
      ? ['CONCURRENTLY must be alone in its migration']
      : []),
    ...(!isAlone && statements.some(({ isInParts }) => isInParts)
      ? ['a DO block that commits must be alone in its migration']
      : []),
    ...(!isAlone && statements.some(({ node }) => validates(node))
      ? [
          'VALIDATE CONSTRAINT must be alone in its migration, so that only its own weak lock is held meanwhile',
        ]
      : []),
  ];
}

const validates = (node: Node): boolean =>
  'AlterTableStmt' in node &&
  (node.AlterTableStmt.cmds ?? []).some(
    (each) => 'AlterTableCmd' in each && each.AlterTableCmd.subtype === 'AT_ValidateConstraint',
  );

function problemsOfStatement({ node, isInParts }: Statement, context: Context): string[] {
  const isOldTable = (table: string | undefined): boolean => context.isOld(`table ${table}`);
  if ('AlterTableStmt' in node) {
    const table = node.AlterTableStmt.relation?.relname ?? '';
    if (!isOldTable(table)) return [];
    return (node.AlterTableStmt.cmds ?? []).flatMap((each) =>
      'AlterTableCmd' in each ? alterProblems(table, each.AlterTableCmd, context) : [],
    );
  }
  if ('IndexStmt' in node) return indexProblems(node.IndexStmt, context);
  if ('DropStmt' in node) return dropProblems(node, context);
  if ('RenameStmt' in node) {
    const { renameType = '', relation } = node.RenameStmt;
    const isNamedByNobody = ['OBJECT_TABCONSTRAINT', 'OBJECT_INDEX'].includes(renameType);
    return isNamedByNobody || (relation && !isOldTable(relation.relname))
      ? []
      : ['renames what older nodes use'];
  }
  if ('AlterEnumStmt' in node && node.AlterEnumStmt.oldVal) return ['renames what older nodes use'];
  for (const [kind, verb] of [
    ['UpdateStmt', 'UPDATE'],
    ['DeleteStmt', 'DELETE'],
  ] as const) {
    const { relation } =
      (node as Partial<Record<typeof kind, { relation?: { relname?: string } }>>)[kind] ?? {};
    if (relation && !isInParts && isOldTable(relation.relname))
      return [`${verb} of ${relation.relname} must go in parts: a DO block that commits in its loop`];
  }
  const [kind = ''] = Object.keys(node);
  return /^(Truncate|Lock|Cluster|Repack|Vacuum|Reindex)Stmt$/.test(kind)
    ? [`${kind} locks a table for long`]
    : [];
}

function alterProblems(table: string, command: AlterTableCmd, { schema, mayDrop }: Context): string[] {
  const { subtype, name = '', def } = command;
  switch (subtype) {
    case 'AT_AddColumn':
      return def && 'ColumnDef' in def ? columnProblems(table, def.ColumnDef) : [];
    case 'AT_AddConstraint':
      return def && 'Constraint' in def ? constraintProblems(table, def.Constraint) : [];
    case 'AT_SetNotNull':
      return [
        ...(schema.isKnownNotNull(table, name)
          ? []
          : [
              `SET NOT NULL reads all of ${table}: first add CHECK (${name} IS NOT NULL) NOT VALID, and validate it`,
            ]),
        ...(schema.isFilled(table, name)
          ? []
          : [
              `${table}.${name} is NOT NULL and has neither a default nor a trigger that fills it for older nodes`,
            ]),
      ];
    case 'AT_AlterColumnType':
      return [`ALTER COLUMN ${name} TYPE rewrites ${table}`];
    case 'AT_DropNotNull':
      return mayDrop ? [] : [`older nodes cannot read NULL in ${table}.${name}`];
    case 'AT_DropColumn':
      return mayDrop ? [] : [`drops ${table}.${name}, which older nodes use`];
    default:
      return [];
  }
}

/** PostgreSQL keeps one value of a constant or the time for all rows that are there. */
function isFixed(expression: Node | undefined): boolean {
  if (!expression) return true;
  if ('TypeCast' in expression) return isFixed(expression.TypeCast.arg);
  if ('A_ArrayExpr' in expression) return (expression.A_ArrayExpr.elements ?? []).every(isFixed);
  return 'A_Const' in expression || 'SQLValueFunction' in expression;
}

function columnProblems(table: string, { colname = '', typeName, constraints = [] }: ColumnDef): string[] {
  const given = constraints.flatMap((each) => ('Constraint' in each ? each.Constraint : []));
  const types = given.map(({ contype }) => contype);
  const type = typeName?.names?.at(-1);
  const isSerial = type && 'String' in type && /serial/.test(type.String.sval ?? '');
  const fallback = given.find(({ contype }) => contype === 'CONSTR_DEFAULT');
  const others = types.some((each) => each && !/NULL|DEFAULT/.test(each)) || isSerial;
  return [
    ...(types.includes('CONSTR_NOTNULL') && !fallback
      ? [`${table}.${colname} is NOT NULL without a default, which older nodes do not give`]
      : []),
    ...(fallback && !isFixed(fallback.raw_expr)
      ? [`the default of ${table}.${colname} differs from row to row, which rewrites the table`]
      : []),
    ...(others ? [`add ${table}.${colname} first, and its constraint in steps of its own`] : []),
  ];
}

function constraintProblems(
  table: string,
  { contype, conname, indexname, skip_validation }: Constraint,
): string[] {
  const isKey = contype === 'CONSTR_PRIMARY' || contype === 'CONSTR_UNIQUE';
  if (isKey && !indexname)
    return [`build the index of ${conname} on ${table} concurrently, and add it USING INDEX`];
  const isChecked = contype === 'CONSTR_CHECK' || contype === 'CONSTR_FOREIGN';
  return isChecked && !skip_validation
    ? [`add ${conname} to ${table} NOT VALID, and validate it afterwards`]
    : [];
}

function indexProblems(
  { idxname, relation, concurrent, if_not_exists }: IndexStmt,
  { isOld }: Context,
): string[] {
  if (concurrent)
    return if_not_exists
      ? []
      : [`${idxname} needs IF NOT EXISTS, so that an interrupted build can be repeated`];
  return isOld(`table ${relation?.relname}`) ? [`build ${idxname} CONCURRENTLY`] : [];
}

function dropProblems(node: Node, { schema, isOld, mayDrop }: Context): string[] {
  return droppedObjects(node).flatMap(({ kind, name }) => {
    if (kind === 'index' && !isConcurrent(node)) return [`drop ${name} CONCURRENTLY`];
    const isUnused = kind === 'index' ? schema.hasIndexLike(name) : !isOld(`${kind} ${name}`);
    return isUnused || mayDrop ? [] : [`drops the ${kind} ${name}, which older nodes use`];
  });
}
