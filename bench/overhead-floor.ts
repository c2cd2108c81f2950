// The floor of what a create adds to its PSP's time: a bare node:http server that stores an order, has the PSP make
// the charge and stores its code.
import { randomUUID } from 'node:crypto';
import pg from 'pg';
import { Agent, request } from 'undici';
import { serveBarely } from './forked-server.ts';

const [databaseUrl, organizationId = '', pspUrl = '', appId = ''] = process.argv.slice(2);
const pool = new pg.Pool({ connectionString: databaseUrl, max: 20 });
const psp = new Agent({ connections: 256 });

async function create({ amount }: { amount: number }) {
  const id = randomUUID();
  const amountInCents = Math.round(amount * 100);
  await pool.query({
    name: 'order',
    text: `INSERT INTO payment (id, organization_id, mode, api_key_id, status, amount_in_cents, provider, created_at, expires_at)
           VALUES ($1, $2, 'live', $2, 'creating', $3, 'woovi', now(), now() + interval '30 minutes')`,
    values: [id, organizationId, amountInCents],
  });
  const { body } = await request(`${pspUrl}/api/v1/charge`, {
    dispatcher: psp,
    method: 'POST',
    headers: { authorization: appId, 'content-type': 'application/json' },
    body: JSON.stringify({
      correlationID: id.replaceAll('-', ''),
      value: amountInCents,
      type: 'DYNAMIC',
      expiresIn: 1800,
    }),
  });
  const { charge } = (await body.json()) as { charge: { brCode: string } };
  await pool.query({
    name: 'result',
    text: `UPDATE payment SET status = 'pending', pix_copy_paste = $2 WHERE id = $1`,
    values: [id, charge.brCode],
  });
  return { id, amount, currency: 'BRL', status: 'pending', pixCopyPaste: charge.brCode };
}

serveBarely({ create });
