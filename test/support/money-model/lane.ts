import { randomBytes } from 'node:crypto';
import { cents } from '../../../src/core/base/money.ts';
import { lastLookAfter } from '../../../src/core/settlement/rules/check-schedule.ts';
import { type Answer, type Client, createClient } from '../client.ts';
import { openLiveOrganization } from '../live.ts';
import type { TestApp } from '../app.ts';
import {
  type EmulatedCharge,
  type EmulatedPix,
  type EmulatedRefund,
  refundedInCents,
} from '../psp-emulator/ledger.ts';
import type { DefinePsp, Notification } from '../psp-emulator/psp.ts';
import type { Action, Round, Sequence, Tell } from './actions.ts';
import type { Bank, Claim } from './banks.ts';

export const askedInCents = 10_000;
const oddInCents = 5_000;

export const payer = {
  name: 'Fulano de Tal',
  document: '529.982.247-25',
  email: 'fulano@example.com',
  phone: '(11) 98765-4321',
};

/** Like none of ours, which begin with a time. */
const newPanelId = (): string => `f${randomBytes(16).toString('hex').slice(1)}`;

/** A claim on a Pix, from both sides. */
export interface OpenClaim {
  claim: Claim;
  claimedInCents: number;
  state: 'open' | 'won' | 'lost';
  takenInCents: number;
  /** The return under way, where it is shown as one. */
  item?: EmulatedRefund;
  pix: EmulatedPix;
}

/** Where the service is. */
export interface Site {
  /** Makes organizations. */
  operator: TestApp;
  baseUrls: readonly string[];
  databaseUrl: string;
  now: () => Date;
}

/** One payment, its provider and its customer. */
export interface Lane {
  readonly bank: Bank;
  readonly client: Client;
  readonly paymentId: string | undefined;
  readonly claims: readonly OpenClaim[];
  /** What went wrong while it was played. */
  readonly violations: string[];
  charge(): EmulatedCharge | undefined;
  /** How many requests its provider has had, and how many of them are without an answer. */
  traffic(): { requests: number; open: number };
  begin(): Promise<void>;
  play(round: Round | undefined): Promise<void>;
  /** Nothing fails any more, and whatever is under way at the provider ends. */
  recover(): Promise<void>;
  /** The provider tells what it has not told yet. */
  tellTheRest(): Promise<void>;
  stop(): Promise<void>;
}

export async function openLane(
  { operator, baseUrls, now }: Site,
  bank: Bank,
  define: DefinePsp,
  sequence: Sequence,
): Promise<Lane> {
  const live = await openLiveOrganization(operator, now, [bank.provider, define]);
  const [account] = live.accounts;
  if (!account) throw new Error('there is no account');
  const { emulator } = account;
  const { ledger, notifier, psp } = emulator;
  const clients = baseUrls.map((baseUrl) => createClient(baseUrl, live.key));
  const path = new URL(notifier.address ?? '').pathname;
  for (const each of sequence.switches) emulator.switches.turn(each, true);

  let turn = 0;
  let paymentId: string | undefined;
  let lastKey = '';
  let refundCount = 0;
  /** How much has changed at the provider without our asking, and how much of that it has told. */
  let changes = 0;
  let toldChanges = 0;
  const held: { notification: Notification; about: number }[] = [];
  const claims: OpenClaim[] = [];
  const violations: string[] = [];

  const client = (): Client => clients[turn++ % clients.length] as Client;
  /** Undefined when the node was killed before it had answered. */
  const ask = (send: (client: Client) => Promise<Answer>) => send(client()).catch(() => undefined);
  const charge = () => ledger.charges.findLast(({ transactionId }) => transactionId === chosen);
  let chosen = '';

  function check(what: string, answer: Answer | undefined): void {
    const { status, body } = answer ?? {};
    const isUnexpected = status === 500 && !/provider/i.test(String(body?.message));
    if (isUnexpected) violations.push(`${what} was answered with 500: ${JSON.stringify(body)}`);
  }

  async function create(): Promise<void> {
    const input = { amount: askedInCents / 100, payer, expirationMinutes: sequence.minutes };
    const answer = await ask((each) => each.post('/v1/payments', input, { 'Idempotency-Key': 'the order' }));
    check('create', answer);
    if (answer?.status !== 201) return;
    paymentId = String(answer.body.id);
    // The code names its charge by what only the ledger knows: the newest is the one that was answered.
    chosen = ledger.charges.at(-1)?.transactionId ?? '';
  }

  async function send(notification: Notification): Promise<boolean> {
    notifier.address = new URL(path, baseUrls[turn++ % baseUrls.length]).href;
    return notifier.send(notification);
  }

  const sendAbout = async (notification: Notification, about: number): Promise<void> => {
    if (await send(notification)) toldChanges = Math.max(toldChanges, about);
  };

  async function tell(how: Tell | 'forged'): Promise<void> {
    const paid = charge();
    const pix = paid?.pix.at(-1);
    if (!paid || !pix) return;
    if (how === 'never') return;
    if (how === 'forged') {
      const untrue = {
        endToEndId: `E${'0'.repeat(31)}`,
        amountInCents: paid.amountInCents,
        paidAt: ledger.now(),
      };
      await send(psp.forge(psp.notificationOf(paid, untrue)));
      return;
    }
    const notification = psp.notificationOf(paid, pix);
    // More may change before it arrives.
    const about = changes;
    if (how === 'held') {
      held.push({ notification, about });
      return;
    }
    await sendAbout(notification, about);
    if (how === 'twice') await send(notification);
  }

  /** Leaves out what is claimed. */
  const leftOf = (paid: EmulatedCharge, pix: EmulatedPix): number => {
    const taken = claims
      .filter((each) => each.pix === pix && !each.item)
      .reduce((sum, each) => sum + each.takenInCents, 0);
    const refunds = paid.refunds.filter(({ endToEndId }) => endToEndId === pix.endToEndId);
    return Number(pix.amountInCents - refundedInCents({ ...paid, refunds })) - taken;
  };
  const isAsked = ({ amountInCents }: EmulatedPix) => Number(amountInCents) === askedInCents;
  const openClaim = () => claims.find(({ state }) => state === 'open');

  /** The service has taken its last look: a Pix on its way at the expiry has arrived within a minute. */
  const hasEnded = ({ expiresAt }: EmulatedCharge) => lastLookAfter(expiresAt) < ledger.now();

  async function pay({ what, tell: how }: Extract<Action, { does: 'pay' }>): Promise<void> {
    const asked = charge();
    if (!asked || (asked.pix.length > 0 && !bank.takesSeveralPix)) return;
    // A provider whose code has ended takes no Pix that was not on its way.
    if (asked.isCancelled && psp.cannotFind?.length) return;
    // Nobody but the provider knows of a Pix that comes where none is awaited, until the books of the day.
    if (asked.isCancelled || hasEnded(asked) || asked.pix.length > 0) changes++;
    ledger.pay(asked, what === 'odd' ? cents(oddInCents) : asked.amountInCents);
    await tell(how);
  }

  async function refund({ reais, isRepeated }: Extract<Action, { does: 'refund' }>): Promise<void> {
    if (!paymentId) return;
    if (!isRepeated || !lastKey) lastKey = `refund ${refundCount++}`;
    const path = `/v1/payments/${paymentId}`;
    const before = await ask((each) => each.get(path));
    const input = reais === null ? {} : { amount: reais };
    const answer = await ask((each) => each.post(`${path}/refunds`, input, { 'Idempotency-Key': lastKey }));
    check('refund', answer);
    const isNew = answer?.status === 201 && answer.headers.get('idempotency-replayed') !== 'true';
    if (!before?.body.disputed || !isNew) return;
    // What was told before the refund may have been processed since.
    const after = await ask((each) => each.get(path));
    if (after?.body.disputed) violations.push('a refund of a disputed payment was accepted');
  }

  async function giveBack({ reais, tell: how }: Extract<Action, { does: 'give back' }>): Promise<void> {
    const paid = charge();
    const pix = paid?.pix.findLast((each) => isAsked(each) && leftOf(paid, each) > 0);
    if (!paid || !pix || openClaim()) return;
    const id = newPanelId();
    paid.refunds.push({
      refundId: bank.name === 'asaas' ? '' : id,
      reference:
        bank.provider === 'bacen'
          ? `D${id.slice(1)}`
          : bank.name === 'mercadopago'
            ? String(Number.parseInt(id.slice(0, 8), 16))
            : `tran_${id.slice(0, 16)}`,
      endToEndId: pix.endToEndId,
      amountInCents: cents(Math.min(reais * 100, leftOf(paid, pix))),
      status: 'completed',
      createdAt: ledger.now(),
    });
    changes++;
    await tell(how);
  }

  async function open({ reais, kind, tell: how }: Extract<Action, { does: 'claim' }>): Promise<void> {
    const paid = charge();
    const pix = paid?.pix.findLast((each) => isAsked(each) && leftOf(paid, each) > 0);
    const claim = bank.claims[kind % bank.claims.length];
    if (!paid || !pix || !claim || openClaim() || (claim.as === 'dispute' && claims.length > 0)) return;
    const left = leftOf(paid, pix);
    const opened: OpenClaim = {
      claim,
      pix,
      state: 'open',
      takenInCents: 0,
      claimedInCents: claim.as === 'return' ? Math.min(reais * 100, left) : left,
    };
    if (claim.as === 'return') {
      const id = newPanelId();
      opened.item = {
        refundId: id,
        reference: `D${id.slice(1)}`,
        endToEndId: pix.endToEndId,
        amountInCents: cents(opened.claimedInCents),
        status: 'pending',
        reason: claim.reason,
        createdAt: ledger.now(),
      };
      paid.refunds.push(opened.item);
    } else {
      Object.assign(paid.details, { on: claim.open, claimedInCents: opened.claimedInCents });
    }
    claims.push(opened);
    changes++;
    await tell(how);
  }

  async function decideClaim({
    isAccepted,
    tell: how,
  }: Extract<Action, { does: 'decide claim' }>): Promise<void> {
    const paid = charge();
    const opened = openClaim();
    if (!paid || !opened) return;
    const { item, claim } = opened;
    // What has gone meanwhile cannot be taken.
    const left = leftOf(paid, opened.pix);
    const taken = isAccepted ? Math.min(opened.claimedInCents, left) : 0;
    opened.state = taken > 0 ? 'lost' : 'won';
    opened.takenInCents = taken;
    if (item) {
      item.status = taken > 0 ? 'completed' : 'failed';
      if (taken > 0) item.amountInCents = cents(taken);
    } else if (claim.as === 'dispute') {
      Object.assign(paid.details, {
        on: taken > 0 ? claim.lost : undefined,
        claimedInCents: taken || opened.claimedInCents,
        takenInCents: taken,
      });
    }
    changes++;
    await tell(how);
  }

  function decideRefunds(outcome: 'completed' | 'failed'): void {
    const taken = (charge()?.refunds ?? []).filter((each) => each.status === 'pending' && !each.reason);
    for (const each of taken) each.status = outcome;
    // A sum that changes changes the order, which PagBank's webhook carries: nothing else shows which refund it is of.
    if (taken.length > 0 && bank.returnsShow === 'sums') changes++;
  }

  async function deliver(order: 'as_sent' | 'reversed'): Promise<void> {
    const letters = held.splice(0);
    for (const { notification, about } of order === 'reversed' ? letters.toReversed() : letters)
      await sendAbout(notification, about);
  }

  async function act(action: Action): Promise<void> {
    switch (action.does) {
      case 'pay':
        return pay(action);
      case 'refund':
        return refund(action);
      case 'give back':
        return giveBack(action);
      case 'claim':
        return open(action);
      case 'decide claim':
        return decideClaim(action);
      case 'decide refunds':
        decideRefunds(action.outcome);
        return;
      case 'defer refunds':
        ledger.decidesRefundsLater = true;
        return;
      case 'misbehave':
        for (const each of action.faults) emulator.faults.add(each);
        return;
      case 'tell':
        return tell(action.how);
      case 'deliver':
        return deliver(action.order);
      case 'cancel':
        if (paymentId) check('cancel', await ask((each) => each.post(`/v1/payments/${paymentId}/cancel`)));
        return;
      case 'read':
        if (paymentId) check('read', await ask((each) => each.get(`/v1/payments/${paymentId}`)));
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
    charge,
    traffic: () => ({ requests: emulator.requests.length, open: emulator.inFlight() }),
    async begin() {
      for (const each of sequence.faults) emulator.faults.add(each);
      await create();
    },
    async play(round) {
      if (!paymentId) await create();
      if (!round) return;
      if (round.isAtOnce) await Promise.all(round.actions.map(act));
      else for (const action of round.actions) await act(action);
    },
    async recover() {
      emulator.faults.clear();
      if (!paymentId) await create();
      await deliver('as_sent');
      decideRefunds('completed');
    },
    async tellTheRest() {
      if (!paymentId) await create();
      // A refund that was taken late, after the recovery.
      decideRefunds('completed');
      if (changes > toldChanges) await tell('once');
    },
    stop: live.stop,
  };
}
