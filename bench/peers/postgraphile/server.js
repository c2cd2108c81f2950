// A peer: the GraphQL API that PostGraphile makes of the tables, without keys, limits or logs.
import { createServer } from 'node:http';
import { grafserv } from 'postgraphile/grafserv/node';
import { postgraphile } from 'postgraphile';
import { makePgService } from 'postgraphile/adaptors/pg';
import { PostGraphileAmberPreset } from 'postgraphile/presets/amber';

const [databaseUrl] = process.argv.slice(2);
const service = postgraphile({
  extends: [PostGraphileAmberPreset],
  pgServices: [makePgService({ connectionString: databaseUrl, poolConfig: { max: 20 } })],
  grafserv: { graphqlPath: '/graphql', graphiql: false, watch: false },
  grafast: { explain: false },
}).createServ(grafserv);

const server = createServer();
server.on('error', (error) => {
  throw error;
});
await service.addTo(server);
server.listen(0, '127.0.0.1', () => process.send(server.address().port));

// The benchmark has ended, however it did.
process.once('disconnect', () => process.exit());
