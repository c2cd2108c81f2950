import { cents } from '../../../src/core/base/money.ts';
import { type Client, createClient } from '../client.ts';
import { query } from '../database.ts';
import { createKey } from '../factories.ts';
import type { EmulatedCharge } from '../psp-emulator/ledger.ts';
import type { Action, Sequence } from './actions.ts';
import type { Bank } from './banks.ts';
import { askedInCents, type Lane, type OpenClaim, payer, type Site } from './lane.ts';

interface Row {
  kind: 'pix' | 'refund' | 'reversal' | 'dispute';
  id: string;
  amount: string;
  /** The Pix of a refund, the reason of a reversal, the state of a dispute. */
  about: string;
}

/** What the built-in provider keeps: of what is asked of it at once, it alone knows how much it took. */
const ledgerOf = (databaseUrl: string, paymentId: string): Promise<Row[]> =>
  query<Row>(
    databaseUrl,
    `WITH charge AS (SELECT charge.* FROM sandbox_charge charge JOIN payment
       ON charge.transaction_id = replace(payment.attempt_id::text, '-', '') WHERE payment.id = $1)
     SELECT 'pix' AS kind, pix.end_to_end_id AS id,
       coalesce(pix.amount_in_cents, charge.amount_in_cents) AS amount, '' AS about FROM sandbox_pix pix JOIN charge USING (transaction_id)
     UNION ALL SELECT 'refund', refund_id, each.amount_in_cents, each.end_to_end_id FROM sandbox_refund each JOIN charge USING (transaction_id)
     UNION ALL SELECT 'reversal', reference, each.amount_in_cents, reason::text FROM sandbox_reversal each JOIN charge USING (transaction_id)
     UNION ALL SELECT 'dispute', reference, each.amount_in_cents, state::text FROM sandbox_dispute each JOIN charge USING (transaction_id)`,
    [paymentId],
  );

/** The built-in provider, which is told over HTTP what its payer does. */
export async function openSandboxLane(
  { operator, baseUrls, now, databaseUrl }: Site,
  bank: Bank,
  sequence: Sequence,
): Promise<Lane> {
  const { key } = await createKey(operator.services, { mode: 'test' });
  const clients = baseUrls.map((baseUrl) => createClient(baseUrl, key));
  const claims: OpenClaim[] = [];
  const violations: string[] = [];
  const charge: EmulatedCharge = {
    transactionId: '',
    reference: '',
    amountInCents: cents(askedInCents),
    expiresAt: now(),
    createdAt: now(),
    details: {},
    isCancelled: false,
    pix: [],
    refunds: [],
  };
  let turn = 0;
  let refundCount = 0;
  let paymentId = '';
  let lastKey = '';
  const client = (): Client => clients[turn++ % clients.length] as Client;

  async function post(path: string, body?: object, headers?: Record<string, string>) {
    const answer = await client().post(path, body, headers);
    if (answer.status >= 500) violations.push(`${path} was answered with ${answer.status}`);
    return answer;
  }
  const simulate = (what: string, body?: object) => post(`/v1/sandbox/payments/${paymentId}/${what}`, body);
  const reverse = (amount: number, reason: 'returned_at_psp' | 'med_fraud') =>
    simulate('reverse', { amount, reason });

  async function act(action: Action): Promise<unknown> {
    switch (action.does) {
      case 'pay':
        return simulate('pay');
      case 'refund': {
        if (!action.isRepeated || !lastKey) lastKey = `refund ${refundCount++}`;
        const input = action.reais === null ? {} : { amount: action.reais };
        return post(`/v1/payments/${paymentId}/refunds`, input, { 'Idempotency-Key': lastKey });
      }
      case 'give back':
        return reverse(action.reais, 'returned_at_psp');
      case 'claim':
        return action.kind % 2 === 1
          ? reverse(action.reais, 'med_fraud')
          : simulate('dispute', { amount: action.reais });
      case 'decide claim':
        return simulate('dispute/close', { outcome: action.isAccepted ? 'lost' : 'won' });
      case 'cancel':
        return post(`/v1/payments/${paymentId}/cancel`);
      case 'tell':
        return simulate('expire');
      case 'read':
        return client().get(`/v1/payments/${paymentId}`);
      case 'decide refunds':
      case 'defer refunds':
      case 'misbehave':
      case 'deliver':
        return undefined;
    }
  }

  async function readLedger(): Promise<void> {
    const rows = await ledgerOf(databaseUrl, paymentId);
    const of = (kind: Row['kind']) => rows.filter((row) => row.kind === kind);
    const paidAt = now();
    charge.pix = of('pix').map(({ id, amount }) => ({
      endToEndId: id,
      amountInCents: cents(BigInt(amount)),
      paidAt,
    }));
    const isGivenBack = ({ about }: Row) => about === 'returned_at_psp';
    const returned = [...of('refund'), ...of('reversal').filter(isGivenBack)];
    charge.refunds = returned.map(({ kind, id, amount, about }) => ({
      refundId: kind === 'refund' ? id : '',
      reference: id,
      endToEndId: kind === 'refund' ? about : '',
      amountInCents: cents(BigInt(amount)),
      status: 'completed',
      createdAt: now(),
    }));
    const [pix] = charge.pix;
    if (!pix) return;
    const taken = of('reversal')
      .filter((row) => !isGivenBack(row))
      .map(({ amount, about }): OpenClaim => {
        const takenInCents = Number(amount);
        const claim = { as: 'return', reason: about } as const;
        return { claim, pix, claimedInCents: takenInCents, takenInCents, state: 'lost' };
      });
    const open = of('dispute').flatMap(({ amount, about }): OpenClaim[] => {
      const claim = { as: 'dispute', open: '', lost: '' } as const;
      return about === 'open'
        ? [{ claim, pix, claimedInCents: Number(amount), takenInCents: 0, state: 'open' }]
        : [];
    });
    claims.splice(0, claims.length, ...taken, ...open);
  }

  return {
    bank,
    get client() {
      return client();
    },
    get paymentId() {
      return paymentId;
    },
    claims,
    violations,
    charge: () => charge,
    traffic: () => ({ requests: 0, open: 0 }),
    async begin() {
      const input = { amount: askedInCents / 100, payer, expirationMinutes: sequence.minutes };
      const answer = await post('/v1/payments', input);
      paymentId = String(answer.body.id);
    },
    async play(round) {
      if (!round) return;
      if (round.isAtOnce) await Promise.all(round.actions.map(act));
      else for (const action of round.actions) await act(action);
    },
    recover: readLedger,
    tellTheRest: readLedger,
    stop: async () => undefined,
  };
}
