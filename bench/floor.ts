// The floor: what a bare node:http server needs for the same SELECT and INSERT through pg and the same JSON.
import { createServer, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import pg from 'pg';

interface PaymentRow {
  id: string;
  amount_in_cents: string;
  mode: string;
  status: string;
  provider: string;
  created_at: Date;
  expires_at: Date;
  description: string | null;
  external_id: string | null;
  pix_copy_paste: string;
  pix_qr_code_base64: string;
  metadata: object | null;
}

const [databaseUrl, organizationId, template = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const created = JSON.parse(template) as { pixCopyPaste: string; pixQrCodeBase64: string };

const view = (row: PaymentRow) => ({
  id: row.id,
  amount: Number(row.amount_in_cents) / 100,
  currency: 'BRL',
  status: row.status,
  provider: row.provider,
  createdAt: row.created_at,
  description: row.description ?? undefined,
  externalId: row.external_id ?? undefined,
  pixCopyPaste: row.pix_copy_paste,
  pixQrCodeBase64: row.pix_qr_code_base64,
  expiresAt: row.expires_at,
  isTest: row.mode === 'test',
  metadata: row.metadata ?? undefined,
});

async function first(query: pg.QueryConfig): Promise<object> {
  const { rows } = await pool.query<PaymentRow>(query);
  if (!rows[0]) throw new Error(`${query.name} found nothing`);
  return view(rows[0]);
}

const read = (id: string) =>
  first({
    name: 'read',
    text: 'SELECT * FROM payment WHERE id = $1 AND organization_id = $2',
    values: [id, organizationId],
  });

const create = ({ amount }: { amount: number }) =>
  first({
    name: 'create',
    text: `INSERT INTO payment (id, organization_id, mode, api_key_id, status, amount_in_cents, provider,
             pix_copy_paste, pix_qr_code_base64, created_at, expires_at)
           VALUES (gen_random_uuid(), $1, 'test', $1, 'pending', $2, 'floor', $3, $4, now(), now() + interval '30 minutes')
           RETURNING *`,
    values: [organizationId, Math.round(amount * 100), created.pixCopyPaste, created.pixQrCodeBase64],
  });

function send(response: ServerResponse, statusCode: number, body: object): void {
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
