import { randomUUID } from 'node:crypto';
import type { Cents } from '../../core/base/money.ts';
import type { DisputeAnswerRequest } from '../../core/providers/rules/charge.ts';
import { PspError } from '../../core/providers/rules/psp-error.ts';
import type { SandboxCharge, SandboxDispute, SandboxStore } from '../../core/sandbox/rules/sandbox-store.ts';

interface Dependencies {
  takeBack(transactionId: string, amountInCents: Cents): Promise<void>;
}

const isOpen = ({ state }: SandboxDispute): boolean => state === 'open';

export function createSandboxDisputes(store: SandboxStore, { takeBack }: Dependencies) {
  async function end(
    { transactionId }: SandboxCharge,
    { reference, amountInCents }: SandboxDispute,
    state: 'won' | 'lost',
  ): Promise<void> {
    if (state === 'lost') await takeBack(transactionId, amountInCents);
    await store.changeDispute(reference, { state });
  }

  return {
    async open(transactionId: string, dispute: Omit<SandboxDispute, 'reference' | 'state'>): Promise<void> {
      await store.dispute({ ...dispute, transactionId, reference: randomUUID(), state: 'open' });
    },

    /** Returns false when none is open. */
    async close(charge: SandboxCharge, state: 'won' | 'lost'): Promise<boolean> {
      const open = charge.disputes.find(isOpen);
      if (open) await end(charge, open, state);
      return open !== undefined;
    },

    /** Decides against who did not answer in time. Returns whether there was anything to decide. */
    async endOverdue(charge: SandboxCharge, asOf: Date): Promise<boolean> {
      const overdue = charge.disputes.filter(
        (each) => isOpen(each) && each.defenceUntil !== null && each.defenceUntil <= asOf,
      );
      for (const each of overdue) await end(charge, each, 'lost');
      return overdue.length > 0;
    },

    async answer(charge: SandboxCharge, { dispute, answer }: DisputeAnswerRequest): Promise<void> {
      const named = charge.disputes.find(({ reference }) => reference === dispute);
      if (!named) throw new PspError('rejected', 'the sandbox has no such dispute');
      if (!isOpen(named)) return;
      const state = answer === 'acceptance' ? 'lost' : named.afterDefence;
      if (state) await end(charge, named, state);
      else await store.changeDispute(named.reference, { defenceUntil: null });
    },
  };
}
