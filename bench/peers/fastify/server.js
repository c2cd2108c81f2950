// A peer: what a team would write by hand for the two requests with Fastify: keys, rate limit on Redis, validation, logs.
import { createHash } from 'node:crypto';
import rateLimit from '@fastify/rate-limit';
import createFastify from 'fastify';
import { Redis } from 'ioredis';
import pg from 'pg';
import { createStatements } from '../../statements.ts';

const [databaseUrl, organizationId, template, redisUrl] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const statements = createStatements(pool, organizationId, template);
// The benchmark throws standard output away, as it does with that of the service.
const app = createFastify({ logger: true });

/** The organization of a key, remembered for 10 s. */
const known = new Map();

async function organizationOf(key) {
  const sha256 = createHash('sha256').update(key).digest('hex');
  const cached = known.get(sha256);
  if (cached && cached.until > Date.now()) return cached.organizationId;
  const { rows } = await pool.query({
    name: 'key',
    text: 'SELECT organization_id FROM api_key WHERE sha256 = $1 AND revoked_at IS NULL AND (expires_at IS NULL OR expires_at > now())',
    values: [sha256],
  });
  const found = rows[0]?.organization_id;
  known.set(sha256, { organizationId: found, until: Date.now() + 10_000 });
  return found;
}

const payment = {
  type: 'object',
  properties: {
    id: { type: 'string' },
    amount: { type: 'number' },
    currency: { type: 'string' },
    status: { type: 'string' },
    provider: { type: 'string' },
    createdAt: { type: 'string', format: 'date-time' },
    description: { type: 'string' },
    externalId: { type: 'string' },
    pixCopyPaste: { type: 'string' },
    pixQrCodeBase64: { type: 'string' },
    expiresAt: { type: 'string', format: 'date-time' },
    isTest: { type: 'boolean' },
    metadata: { type: 'object', additionalProperties: true },
  },
};

const body = {
  type: 'object',
  required: ['amount'],
  additionalProperties: false,
  properties: {
    amount: { type: 'number', exclusiveMinimum: 0, maximum: 9_999_999_999.99 },
    description: { type: 'string', maxLength: 140 },
    externalId: { type: 'string', maxLength: 255 },
    metadata: { type: 'object' },
  },
};

const params = { type: 'object', properties: { id: { type: 'string', format: 'uuid' } } };

app.addHook('onRequest', async (request, reply) => {
  request.organizationId = await organizationOf(request.headers['x-api-key'] ?? '');
  if (!request.organizationId) return reply.code(401).send({ error: 'unauthenticated' });
});
await app.register(rateLimit, {
  max: 1_000_000_000,
  timeWindow: '1 minute',
  redis: new Redis(redisUrl),
  keyGenerator: (request) => request.headers['x-api-key'],
});

app.get('/v1/payments/:id', { schema: { params, response: { 200: payment } } }, async (request, reply) => {
  return (await statements.read(request.params.id)) ?? reply.code(404).send({ error: 'not_found' });
});
app.post('/v1/payments', { schema: { body, response: { 201: payment } } }, async (request, reply) => {
  return reply.code(201).send(await statements.create(request.body));
});

await app.listen({ port: 0, host: '127.0.0.1' });
process.send(app.server.address().port);
// The benchmark has ended, however it did.
process.once('disconnect', () => process.exit());
