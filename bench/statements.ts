// What the bare server and the peers do with the database: one SELECT and one INSERT on the table of the service.
import type pg from 'pg';

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

export type PaymentView = ReturnType<typeof view>;

/** `template` is a payment of the service, as JSON: its code and picture are those of all. */
export function createStatements(pool: pg.Pool, organizationId: string, template: string) {
  const { pixCopyPaste, pixQrCodeBase64 } = JSON.parse(template) as PaymentView;

  async function first(query: pg.QueryConfig): Promise<PaymentView | undefined> {
    const { rows } = await pool.query<PaymentRow>(query);
    return rows[0] && view(rows[0]);
  }

  return {
    read: (id: string) =>
      first({
        name: 'read',
        text: 'SELECT * FROM payment WHERE id = $1 AND organization_id = $2',
        values: [id, organizationId],
      }),

    create: ({ amount }: { amount: number }) =>
      first({
        name: 'create',
        text: `INSERT INTO payment (id, organization_id, mode, api_key_id, status, amount_in_cents, provider,
                 pix_copy_paste, pix_qr_code_base64, created_at, expires_at)
               VALUES (gen_random_uuid(), $1, 'test', $1, 'pending', $2, 'floor', $3, $4, now(), now() + interval '30 minutes')
               RETURNING *`,
        values: [organizationId, Math.round(amount * 100), pixCopyPaste, pixQrCodeBase64],
      }),
  };
}
