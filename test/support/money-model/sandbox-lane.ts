import { cents } from '../../../src/core/base/money.ts';
import { transactionIdOf } from '../../../src/core/base/ids.ts';
import { type Client, createClient } from '../client.ts';
import { createKey } from '../factories.ts';
import type { EmulatedCharge } from '../psp-emulator/ledger.ts';
import type { Action, Sequence } from './actions.ts';
import type { Bank } from './banks.ts';
import { askedInCents, type Lane, type OpenClaim, payer, type Site } from './lane.ts';

/** The built-in provider, which is told over HTTP what its payer does; the ledger is what it accepted. */
export async function openSandboxLane(
  { operator, baseUrls, now }: Site,
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
  const simulate = async (what: string, body?: object): Promise<boolean> =>
    (await post(`/v1/sandbox/payments/${paymentId}/${what}`, body)).status === 200;

  const paying = () => charge.pix[0];

  async function returned(reais: number, reason: 'returned_at_psp' | 'med_fraud'): Promise<void> {
    const pix = paying();
    if (!(await simulate('reverse', { amount: reais, reason })) || !pix) return;
    const amountInCents = cents(reais * 100);
    if (reason === 'returned_at_psp') {
      const { endToEndId } = pix;
      charge.refunds.push({
        refundId: '',
        reference: '',
        endToEndId,
        amountInCents,
        status: 'completed',
        createdAt: now(),
      });
    } else {
      claims.push({
        claim: { as: 'return', reason },
        claimedInCents: reais * 100,
        state: 'lost',
        takenInCents: reais * 100,
        pix,
      });
    }
  }

  async function act(action: Action): Promise<void> {
    switch (action.does) {
      case 'pay':
        if (!(await simulate('pay'))) return;
        charge.pix.push({
          endToEndId: `pix ${charge.pix.length}`,
          amountInCents: charge.amountInCents,
          paidAt: now(),
        });
        return;
      case 'refund': {
        if (!action.isRepeated || !lastKey) lastKey = `refund ${refundCount++}`;
        const { reais } = action;
        const answer = await post(
          `/v1/payments/${paymentId}/refunds`,
          reais === null ? {} : { amount: reais },
          {
            'Idempotency-Key': lastKey,
          },
        );
        const refundId = answer.status === 201 ? transactionIdOf(String(answer.body.id)) : '';
        if (!refundId || charge.refunds.some((each) => each.refundId === refundId)) return;
        const { endToEndId = '' } = paying() ?? {};
        const amountInCents = cents(Math.round(Number(answer.body.amount) * 100));
        charge.refunds.push({
          refundId,
          reference: '',
          endToEndId,
          amountInCents,
          status: 'completed',
          createdAt: now(),
        });
        return;
      }
      case 'give back':
        return returned(action.reais, 'returned_at_psp');
      case 'claim': {
        if (action.kind % 2 === 1) return returned(action.reais, 'med_fraud');
        const pix = paying();
        if (!(await simulate('dispute', { amount: action.reais })) || !pix) return;
        const claim = { as: 'dispute', open: '', lost: '' } as const;
        claims.push({ claim, claimedInCents: action.reais * 100, state: 'open', takenInCents: 0, pix });
        return;
      }
      case 'decide claim': {
        const open = claims.find(({ state }) => state === 'open');
        const outcome = action.isAccepted ? 'lost' : 'won';
        if (!(await simulate('dispute/close', { outcome })) || !open) return;
        open.state = outcome;
        open.takenInCents = outcome === 'lost' ? open.claimedInCents : 0;
        return;
      }
      case 'cancel':
        await post(`/v1/payments/${paymentId}/cancel`);
        return;
      case 'tell':
        await simulate('expire');
        return;
      case 'read':
        await client().get(`/v1/payments/${paymentId}`);
        return;
      case 'decide refunds':
      case 'defer refunds':
      case 'misbehave':
      case 'deliver':
        return;
    }
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
      for (const action of round.actions) await act(action);
    },
    recover: async () => undefined,
    tellTheRest: async () => undefined,
    stop: async () => undefined,
  };
}
