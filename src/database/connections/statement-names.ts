import { createHash } from 'node:crypto';

const maximumPreparedStatements = 200;

/**
 * Names the first statements it sees, so that PostgreSQL parses and plans each only once per connection. A name follows from
 * the text, so if processes ever share a session, the same name means the same statement.
 */
export function createStatementNames(): (query: { sql: string }) => string {
  const names = new Map<string, string>();
  return ({ sql }) => {
    const known = names.get(sql);
    if (known !== undefined || names.size >= maximumPreparedStatements) return known ?? '';
    const name = `pix_${createHash('sha256').update(sql).digest('base64url').slice(0, 22)}`;
    names.set(sql, name);
    return name;
  };
}
