// The floor: what a bare node:http server needs for the same SELECT and INSERT through pg and the same JSON.
import pg from 'pg';
import { serveBarely } from './forked-server.ts';
import { createStatements } from './statements.ts';

const [databaseUrl, organizationId = '', template = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const { read, create } = createStatements(pool, organizationId, template);

serveBarely({ read: (path) => read(path.slice('/v1/payments/'.length)), create });
