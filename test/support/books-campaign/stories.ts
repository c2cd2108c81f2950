import { windowOfDay } from '../../../src/core/books/rules/import-schedule.ts';
import type { EventType } from '../../../src/core/events/rules/events.ts';
import type { LiveAccount } from '../live.ts';
import type { EmulatedPix } from '../psp-emulator/ledger.ts';
import { type Fact, factOf, type Fault } from './facts.ts';
import type { Money, Payable, Stage } from './money.ts';

const minuteMs = 60_000;

/** What is told after the day's statement was imported; the number counts nights, from this one on. */
interface ToTell {
  fact: Fact;
  inNights: number;
}

/** What is still to happen, besides what each fault did at once. */
export interface Script {
  facts: Fact[];
  late: ToTell[];
  whileImported: Fact[];
  /** What happens on the morning of a later day, counted from the day of the Pix. */
  later: { inDays: number; act: () => Promise<void> }[];
}

const completed: EventType[] = ['payment_completed'];

/** Seeds faults, and writes down what should come of them. */
export function createStories({ random, now, pass }: Stage, money: Money, script: Script) {
  function note(account: LiveAccount, { paymentId, charge }: Payable, pix: EmulatedPix, fault: Fault): Fact {
    const fact = factOf(account, { charge, pix }, { paymentId, fault, events: [...completed] });
    script.facts.push(fact);
    return fact;
  }

  const inDays = (least: number, most: number, act: () => Promise<void>) =>
    script.later.push({ inDays: random.between(least, most), act });

  async function told(account: LiveAccount, fault: Fault, amountInCents?: EmulatedPix['amountInCents']) {
    const made = await money.createPayment(account);
    const pix = await account.emulator.pay(
      made.charge.transactionId,
      amountInCents === undefined ? {} : { amountInCents },
    );
    return note(account, made, pix, fault);
  }

  async function untold(account: LiveAccount, fault: Fault): Promise<Fact> {
    const made = await money.createPayment(account);
    await money.forget(made);
    return note(account, made, account.emulator.ledger.pay(made.charge), fault);
  }

  function leaveLater(fact: Fact, share: 'all' | 'part'): void {
    inDays(1, 12, async () => {
      const amount = share === 'all' ? fact.inCents : random.between(1, fact.inCents - 1);
      money.leaveAtBank(fact, amount);
      if (random.happens(0.3) && fact.paymentId !== null) await money.tell(fact, 2);
    });
  }

  async function dispute(fact: Fact, outcome: 'won' | 'lost'): Promise<void> {
    const { details } = fact.charge;
    const words = fact.provider === 'woovi' ? 'disputes' : 'chargebacks';
    inDays(1, 5, async () => {
      details['on'] = words;
      fact.changedAt = now();
      await money.tell(fact, random.between(1, 2));
      fact.events.push('payment_disputed');
    });
    inDays(6, 12, async () => {
      details['on'] = outcome === 'lost' ? `${words}Lost` : undefined;
      fact.changedAt = now();
      fact.events.push('payment_dispute_closed');
      if (outcome === 'lost') fact.events.push('payment_reversed');
      if (outcome === 'lost') fact.returned = fact.inCents;
      // The statement tells of a loss, too, but nothing that left of a dispute that was won.
      if (outcome === 'won' || fact.provider === 'woovi' || random.happens(0.5)) await money.tell(fact, 2);
    });
  }

  async function second(account: LiveAccount, fault: 'duplicate' | 'duplicate_given_back'): Promise<Fact> {
    const made = await money.createPayment(account);
    const first = await account.emulator.pay(made.charge.transactionId);
    script.facts.push(factOf(account, { charge: made.charge, pix: first }, { ...made, events: completed }));
    await money.drain();
    pass(1_000);
    const pix = await account.emulator.pay(made.charge.transactionId);
    return Object.assign(note(account, made, pix, fault), { events: ['payment_duplicated'] });
  }

  async function expired(account: LiveAccount, fault: 'late' | 'late_given_back'): Promise<Fact> {
    const made = await money.createPayment(account);
    await money.expire(made);
    const fact = note(account, made, account.emulator.ledger.pay(made.charge), fault);
    fact.events.unshift('payment_expired');
    return fact;
  }

  const elsewhere = (account: LiveAccount, fault: Fault): Fact => {
    const fact = factOf(account, money.receiveElsewhere(account), { fault });
    script.facts.push(fact);
    return fact;
  };

  /** Until shortly after midnight, but before the first import. */
  function hide({ day, pix }: Fact): void {
    const listedMs = windowOfDay(day).until.getTime() + random.between(1, 45) * minuteMs;
    pix.listedAt = new Date(listedMs);
  }

  async function another(account: LiveAccount, fault: 'amount' | 'amount_given_back'): Promise<Fact> {
    const made = await money.createPayment(account);
    const amountInCents = (made.charge.amountInCents + 1n) as EmulatedPix['amountInCents'];
    const pix = await account.emulator.pay(made.charge.transactionId, { amountInCents });
    return Object.assign(note(account, made, pix, fault), { events: ['payment_duplicated'] });
  }

  const seeds: Record<Fault, (account: LiveAccount) => Promise<unknown>> = {
    lost: (account) => untold(account, 'lost'),
    told_twice: async (account) => money.tell(await untold(account, 'told_twice'), 2),
    told_late: async (account) =>
      script.late.push({ fact: await untold(account, 'told_late'), inNights: random.oneOf([0, 0, 1, 3]) }),
    told_while_imported: async (account) =>
      script.whileImported.push(await untold(account, 'told_while_imported')),
    lagging: async (account) => {
      hide(await told(account, 'lagging'));
    },
    lagging_and_lost: async (account) => {
      hide(await untold(account, 'lagging_and_lost'));
    },
    last_of_day: (account) => told(account, 'last_of_day'),
    first_of_day: (account) => told(account, 'first_of_day'),
    unmatched: async (account) => elsewhere(account, 'unmatched'),
    unmatched_given_back: async (account) => {
      leaveLater(elsewhere(account, 'unmatched_given_back'), 'all');
    },
    missing: async (account) => {
      const { charge } = await told(account, 'missing');
      await money.drain();
      account.emulator.ledger.remove(charge);
    },
    late: (account) => expired(account, 'late'),
    late_given_back: async (account) => {
      leaveLater(await expired(account, 'late_given_back'), 'all');
    },
    amount: (account) => another(account, 'amount'),
    amount_given_back: async (account) => {
      leaveLater(await another(account, 'amount_given_back'), 'all');
    },
    duplicate: (account) => second(account, 'duplicate'),
    duplicate_given_back: async (account) => {
      leaveLater(await second(account, 'duplicate_given_back'), 'all');
    },
    refunded: async (account) => {
      const fact = await told(account, 'refunded');
      await money.drain();
      await money.refundHere(fact, fact.inCents);
    },
    reversed_whole: async (account) => {
      leaveLater(await told(account, 'reversed_whole'), 'all');
    },
    reversed_in_part: async (account) => {
      leaveLater(await told(account, 'reversed_in_part'), 'part');
    },
    reversed_then_refunded: async (account) => {
      const fact = await told(account, 'reversed_then_refunded');
      inDays(1, 12, async () => {
        const half = Math.floor(fact.inCents / 2);
        money.leaveAtBank(fact, random.between(1, half));
        pass(2_000);
        await money.refundHere(fact, half);
      });
    },
    refunded_then_reversed: async (account) => {
      const fact = await told(account, 'refunded_then_reversed');
      inDays(1, 12, async () => {
        await money.refundHere(fact, Math.floor(fact.inCents / 2));
        pass(2_000);
        money.leaveAtBank(fact, fact.inCents - fact.returned);
      });
    },
    dispute_won: async (account) => dispute(await told(account, 'dispute_won'), 'won'),
    dispute_lost: async (account) => dispute(await told(account, 'dispute_lost'), 'lost'),
  };

  return {
    seed: (account: LiveAccount, fault: Fault) => seeds[fault](account),
  };
}
