import { type Node, parse, parsePlPgSQL } from 'libpg-query';

/** A statement of a migration, or of a DO block in it. */
export interface Statement {
  node: Node;
  /** It is in a loop that commits each time round. */
  isInParts: boolean;
}

export interface ParsedMigration {
  statements: Statement[];
  /** How many are sent to PostgreSQL: a DO block counts as one. */
  count: number;
}

/** @throws what PostgreSQL's own parser says. */
export async function parseMigration(sql: string): Promise<ParsedMigration> {
  const nodes = await nodesOf(sql);
  const statements = await Promise.all(nodes.map(statementsOf));
  return { statements: statements.flat(), count: nodes.length };
}

async function nodesOf(sql: string): Promise<Node[]> {
  const { stmts = [] } = await parse(sql);
  return stmts.flatMap(({ stmt }) => stmt ?? []);
}

async function statementsOf(node: Node): Promise<Statement[]> {
  if (!('DoStmt' in node)) return [{ node, isInParts: false }];
  const body = (node.DoStmt.args ?? [])
    .flatMap((argument) => ('DefElem' in argument && argument.DefElem.arg) || [])
    .flatMap((argument) => ('String' in argument && argument.String.sval) || []);
  const parsed = await parsePlPgSQL(`DO $lint$${body.join('')}$lint$`);
  const found = [...statementsIn(parsed, false)];
  const statements = await Promise.all(
    found.map(async ({ sql, isInParts }) => (await nodesOf(sql)).map((each) => ({ node: each, isInParts }))),
  );
  return statements.flat();
}

type Json = Record<string, unknown>;

/** The SQL in a parsed PL/pgSQL block. */
function* statementsIn(tree: unknown, isInParts: boolean): Iterable<{ sql: string; isInParts: boolean }> {
  if (typeof tree !== 'object' || tree === null) return;
  for (const [kind, child] of Object.entries(tree as Json)) {
    if (kind === 'PLpgSQL_stmt_dynexecute') throw new Error('EXECUTE hides its statement from the lint');
    if (kind === 'PLpgSQL_stmt_execsql') {
      const { sqlstmt } = child as { sqlstmt: { PLpgSQL_expr: { query: string } } };
      yield { sql: sqlstmt.PLpgSQL_expr.query, isInParts };
      continue;
    }
    const { body } = (child ?? {}) as { body?: unknown };
    const isLoop = /^PLpgSQL_stmt_(loop|while|for\w+)$/.test(kind) && Array.isArray(body);
    const commits = isLoop && body.some((each: Json) => 'PLpgSQL_stmt_commit' in each);
    yield* statementsIn(child, isInParts || commits);
  }
}
