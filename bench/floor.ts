// The floor: what a bare node:http server needs for the same SELECT and INSERT through pg and the same JSON.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';
import { createStatements } from './statements.ts';

const [databaseUrl, organizationId = '', template = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const { read, create } = createStatements(pool, organizationId, template);

function send(response: ServerResponse, statusCode: number, body: object | undefined): void {
  const bytes = Buffer.from(JSON.stringify(body));
  response.writeHead(statusCode, { 'Content-Type': 'application/json', 'Content-Length': bytes.length });
  response.end(bytes);
}

const server = createServer((request, response) => {
  if (request.method === 'GET') {
    void read(request.url?.slice('/v1/payments/'.length) ?? '').then((body) => {
      send(response, 200, body);
    });
    return;
  }
  const chunks: Buffer[] = [];
  request.on('data', (chunk: Buffer) => chunks.push(chunk));
  request.on('end', () => {
    const body = JSON.parse(Buffer.concat(chunks).toString()) as { amount: number };
    void create(body).then((payment) => {
      send(response, 201, payment);
    });
  });
});

server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
// The benchmark has ended, however it did.
process.once('disconnect', () => process.exit());
