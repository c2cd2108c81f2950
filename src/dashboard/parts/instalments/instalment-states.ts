import { type Texts, texts } from '../../base/language.tsx';
import type { BatchItem } from './documents.ts';

export const instalmentStates = ['paid', 'overdue', 'open', 'ended', 'waiting', 'failed'] as const;

export type InstalmentState = (typeof instalmentStates)[number];

/** Says what one of them is, and how many are. */
export const instalmentTexts: Texts<
  Record<InstalmentState, { one: string; many: (count: number) => string }>
> = texts(
  {
    paid: { one: 'paga', many: (count) => (count === 1 ? '1 paga' : `${count} pagas`) },
    overdue: { one: 'vencida', many: (count) => (count === 1 ? '1 vencida' : `${count} vencidas`) },
    open: { one: 'a vencer', many: (count) => `${count} a vencer` },
    ended: {
      one: 'encerrada sem pagamento',
      many: (count) => (count === 1 ? '1 encerrada' : `${count} encerradas`),
    },
    waiting: { one: 'sendo criada', many: (count) => `${count} em criação` },
    failed: { one: 'não criada', many: (count) => (count === 1 ? '1 não criada' : `${count} não criadas`) },
  },
  {
    paid: { one: 'paid', many: (count) => `${count} paid` },
    overdue: { one: 'overdue', many: (count) => `${count} overdue` },
    open: { one: 'due', many: (count) => `${count} due` },
    ended: { one: 'ended unpaid', many: (count) => `${count} ended unpaid` },
    waiting: { one: 'being created', many: (count) => `${count} being created` },
    failed: { one: 'not created', many: (count) => `${count} not created` },
  },
);

export function instalmentStateOf({ state, paymentStatus, overdue }: BatchItem): InstalmentState {
  if (state === 'failed') return 'failed';
  if (paymentStatus === 'completed' || paymentStatus === 'refunded') return 'paid';
  if (paymentStatus === 'pending') return overdue ? 'overdue' : 'open';
  return paymentStatus === null ? 'waiting' : 'ended';
}
