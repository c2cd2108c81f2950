import { operatorFor } from '../../src/core/base/caller.ts';
import type { z } from 'zod';
import type { TestApp } from './app.ts';
import { type Answer, createClient } from './client.ts';
import { query } from './database.ts';
import { type LiveAccount, type LiveOrganization, openLiveOrganization } from './live.ts';
import type { MortalService } from './mortal-service.ts';
import { hidesUnpaid } from './psp-emulator/core.ts';
import type { fault } from './psp-emulator/faults.ts';
import { type EmulatedCharge, type EmulatedPix, recordedIdOf } from './psp-emulator/ledger.ts';
import type { DefinePsp, Notification } from './psp-emulator/psp.ts';

/** Whether the PSP's API tells of a second Pix for one charge; at the others a code that is paid is used up. */
export interface ShopPsp {
  provider: string;
  define: DefinePsp;
  takesSeveralPix: boolean;
}

export interface Misbehaviour {
  does: 'misbehave';
  account: number;
  faults: z.input<typeof fault>[];
}

/** One thing that happens. `pick` chooses among what there is, `account` is the first or the second PSP. */
export type Step =
  /** The same order again is a retry with the same key; null is a create without a key. */
  | { does: 'create'; order: number | null; isAwaited: boolean }
  | { does: 'cancel' | 'refund'; pick: number }
  | Misbehaviour
  | { does: 'refuse connections' | 'recover'; account: number }
  | { does: 'pay'; pick: number; tell: 'once' | 'twice' | 'later' | 'never' }
  | { does: 'tell'; what: 'kept back' | 'kept back, reversed' | 'all again' }
  | { does: 'forge'; pick: number };

interface Charged {
  account: LiveAccount & ShopPsp;
  charge: EmulatedCharge;
}

/** What a PSP tells of a Pix. */
interface Letter extends Charged {
  pix: EmulatedPix;
  notification: Notification;
  isAcknowledged: boolean;
}

/** A merchant with accounts at two PSPs, its customers, and everything that they were told. */
export interface Shop {
  readonly organizationId: string;
  readonly accounts: readonly (LiveAccount & ShopPsp)[];
  /** Whole answers to creates, by order. */
  readonly answers: ReadonlyMap<number, readonly Answer[]>;
  /** What GET told of each payment, in order. */
  readonly statuses: ReadonlyMap<string, readonly string[]>;
  readonly acknowledged: readonly { endToEndId: string; transactionId: string }[];
  /** How many payments may have been made. */
  readonly createCount: number;
  play(step: Step): Promise<void>;
  /** Tells the PSPs where the service is now. */
  moveTo(baseUrl: string): void;
  /** Every PSP does again what it should. */
  recover(): Promise<void>;
  /** Every order is sent until it has its payment; then PSPs repeat what was not acknowledged. */
  finish(): Promise<void>;
  /** Reads the status of every payment that was answered. */
  observe(): Promise<void>;
  stop(): Promise<void>;
}

const payer = {
  name: 'Fulano de Tal',
  document: '529.982.247-25',
  email: 'fulano@example.com',
  phone: '(11) 98765-4321',
};

export async function openShop(
  app: TestApp,
  service: MortalService,
  psps: readonly ShopPsp[],
): Promise<Shop> {
  const live = await openLiveOrganization(
    app,
    () => new Date(),
    ...psps.map(({ provider, define }): [string, DefinePsp] => [provider, define]),
  );
  const accounts = live.accounts.flatMap((account, index) => {
    const psp = psps[index];
    return psp ? [{ ...account, ...psp }] : [];
  });
  const { id: ruleSetId } = await app.services.ruleSets.create(
    operatorFor(live.organizationId),
    'All accounts',
    {
      fallbackCredentialIds: accounts.slice(1).map(({ credentialId }) => credentialId),
    },
  );
  return createShop(app.databaseUrl, service, live, accounts, ruleSetId);
}

function createShop(
  databaseUrl: string,
  service: MortalService,
  { organizationId, key, stop }: LiveOrganization,
  accounts: readonly (LiveAccount & ShopPsp)[],
  ruleSetId: string,
): Shop {
  const answers = new Map<number, Answer[]>();
  const statuses = new Map<string, string[]>();
  const letters: Letter[] = [];
  let keptBack: Letter[] = [];
  let unkeyedCount = 0;

  /** Undefined when the service was killed before it had answered. */
  const ask = async (send: (client: ReturnType<typeof createClient>) => Promise<Answer>) =>
    send(createClient(await service.baseUrl(), key)).catch(() => undefined);

  async function create(order: number | null): Promise<Answer | undefined> {
    const input = {
      amount: 10 + (order ?? 0),
      payer,
      ruleSetId,
      ...(order !== null && { externalId: `order-${order}` }),
    };
    const headers: Record<string, string> = order === null ? {} : { 'Idempotency-Key': `order-${order}` };
    const known = order === null ? [] : (answers.get(order) ?? []);
    if (order === null) unkeyedCount += 1;
    else answers.set(order, known);
    const answer = await ask((client) => client.post('/v1/payments', input, headers));
    if (!answer) return undefined;
    known.push(answer);
    if (answer.status === 201 && !statuses.has(answer.body.id)) statuses.set(answer.body.id, []);
    return answer;
  }

  async function createForGood(order: number): Promise<void> {
    for (;;) {
      const answer = await create(order);
      if (answer?.status === 201) return;
    }
  }

  const charges = (): Charged[] =>
    accounts.flatMap((account) => account.emulator.ledger.charges.map((charge) => ({ account, charge })));

  function picked<Item>(items: readonly Item[], pick: number): Item | undefined {
    return items[pick % items.length];
  }

  async function hasLeft({ charge }: Charged): Promise<boolean> {
    const chosen = await query(
      databaseUrl,
      `SELECT FROM payment WHERE organization_id = $1 AND replace(attempt_id::text, '-', '') = $2`,
      [organizationId, charge.transactionId],
    );
    return chosen.length > 0;
  }

  async function deliver(letter: Letter): Promise<void> {
    await service.baseUrl();
    const isAccepted = await letter.account.emulator.notifier.send(letter.notification);
    letter.isAcknowledged ||= isAccepted;
  }

  async function pay(pick: number, tell: 'once' | 'twice' | 'later' | 'never'): Promise<void> {
    const payable = charges().filter(
      ({ account, charge }) => charge.pix.length === 0 || account.takesSeveralPix,
    );
    const charged = picked(payable, pick);
    if (!charged) return;
    const { account, charge } = charged;
    const isLate = charge.isCancelled;
    // Nobody has the code of a charge that was lost and cancelled, or cannot be found until it is paid.
    const isKnown = !isLate && !hidesUnpaid(account.emulator);
    if (!isKnown && !(await hasLeft(charged))) return;
    const pix = await account.emulator.pay(charge.transactionId, { notify: 'never' });
    // Only the PSP can tell that an ended charge was paid.
    if (tell === 'never' && !isLate) return;
    const notification = account.emulator.psp.notificationOf(charge, pix);
    const letter = { ...charged, pix, notification, isAcknowledged: false };
    letters.push(letter);
    if (tell === 'once' || tell === 'twice') await deliver(letter);
    else keptBack.push(letter);
    if (tell === 'twice') await deliver(letter);
  }

  async function tell(what: 'kept back' | 'kept back, reversed' | 'all again'): Promise<void> {
    const told = what === 'all again' ? letters : keptBack;
    const ordered = what === 'kept back' ? [...told] : told.toReversed();
    keptBack = [];
    for (const letter of ordered) await deliver(letter);
  }

  async function forge(pick: number): Promise<void> {
    const charged = picked(charges(), pick);
    if (!charged) return;
    const { charge, account } = charged;
    const { notifier, psp } = account.emulator;
    const pix = {
      endToEndId: `E${'0'.repeat(31)}`,
      amountInCents: charge.amountInCents,
      paidAt: new Date(),
    };
    const untrue = psp.notificationOf(charge, pix);
    await notifier.send(psp.forge(untrue));
    await notifier.send(untrue);
  }

  async function cancel(pick: number): Promise<void> {
    const id = picked([...statuses.keys()], pick);
    if (id) await ask((client) => client.post(`/v1/payments/${id}/cancel`));
  }

  /** One real, so that several fit into a payment and only their names tell them apart. */
  async function refund(pick: number): Promise<void> {
    const paid = [...statuses].filter(([, seen]) => seen.at(-1) === 'completed');
    const [id] = picked(paid, pick) ?? [];
    if (id) await ask((client) => client.post(`/v1/payments/${id}/refunds`, { amount: 1 }));
  }

  async function play(step: Step): Promise<void> {
    switch (step.does) {
      case 'create': {
        const answered = create(step.order);
        if (step.isAwaited) await answered;
        return;
      }
      case 'cancel':
        return cancel(step.pick);
      case 'refund':
        return refund(step.pick);
      case 'misbehave':
        for (const each of step.faults) accounts[step.account]?.emulator.faults.add(each);
        return;
      case 'refuse connections':
        return accounts[step.account]?.emulator.refuseConnections();
      case 'recover':
        return recover(accounts.slice(step.account, step.account + 1));
      case 'pay':
        return pay(step.pick, step.tell);
      case 'tell':
        return tell(step.what);
      case 'forge':
        return forge(step.pick);
    }
  }

  async function recover(recovering: readonly LiveAccount[]): Promise<void> {
    for (const { emulator } of recovering) {
      emulator.faults.clear();
      await emulator.acceptConnections();
    }
  }

  async function observe(): Promise<void> {
    for (const [id, seen] of statuses) {
      const answer = await ask((client) => client.get(`/v1/payments/${id}`));
      if (answer) seen.push(answer.status === 200 ? answer.body.status : `HTTP ${answer.status}`);
    }
  }

  return {
    organizationId,
    accounts,
    answers,
    statuses,
    get acknowledged() {
      return letters
        .filter(({ isAcknowledged }) => isAcknowledged)
        .map(({ pix, charge }) => ({
          endToEndId: recordedIdOf(pix),
          transactionId: charge.transactionId,
        }));
    },
    get createCount() {
      return answers.size + unkeyedCount;
    },
    async play(step) {
      await service.baseUrl();
      await play(step);
      await observe();
    },
    moveTo(baseUrl) {
      for (const { emulator } of accounts) {
        const { pathname } = new URL(emulator.notifier.address ?? '');
        emulator.notifier.address = new URL(pathname, baseUrl).href;
      }
    },
    recover: () => recover(accounts),
    async finish() {
      await Promise.all([...answers.keys()].map(createForGood));
      for (const letter of letters.filter(({ isAcknowledged }) => !isAcknowledged)) await deliver(letter);
    },
    observe,
    stop,
  };
}
