// A service or command of its own: prints one line of JSON when it has the database, stops when its input ends.
import {
  connectEmbeddedPostgres,
  startEmbeddedPostgres,
} from '../../dist/database/embedded-postgres/embedded-postgres.js';

const [role, dataDirectory] = process.argv.slice(2);
const print = (line) => process.stdout.write(`${JSON.stringify(line)}\n`);
process.on('SIGINT', () => {});

try {
  const open = role === 'service' ? startEmbeddedPostgres : connectEmbeddedPostgres;
  const onLog = (message) => print({ message });
  const postgres = await open({ dataDirectory, settings: { fsync: 'off' }, onLog });
  print({ databaseUrl: postgres.databaseUrl });
  process.stdin.on('end', () => postgres.stop().then(() => process.exit()));
  process.stdin.resume();
} catch (error) {
  print({ error: error.message });
}
