import { Argument, type Command } from 'commander';
import type { Pix } from '@pix-service/sdk';
import { type Connection, connectTo, testKeyOption, urlOption } from '../base/connection.ts';
import { print } from '../base/print.ts';
import { decimal } from '../base/values.ts';

interface TriggerOptions extends Connection {
  amount: number;
}

type Step = (pix: Pix, paymentId: string, amount: number) => Promise<unknown>;

const pay: Step = ({ sandbox }, id) => sandbox.pay(id);
const dispute: Step = ({ sandbox }, id) => sandbox.dispute(id);
const refund =
  (share: number): Step =>
  ({ payments }, id, amount) =>
    payments.refund(id, { amount: Math.ceil(amount * share * 100) / 100 });

/** What happens to a new payment. The sandbox refunds whatever is asked, so there is no `refund_failed`. */
const stories: Record<string, readonly Step[]> = {
  payment_completed: [pay],
  payment_expired: [({ sandbox }, id) => sandbox.expire(id)],
  payment_cancelled: [({ payments }, id) => payments.cancel(id)],
  payment_duplicated: [pay, pay],
  refund_completed: [pay, refund(0.5)],
  payment_refunded: [pay, refund(1)],
  payment_reversed: [pay, ({ sandbox }, id) => sandbox.reverse(id)],
  payment_disputed: [pay, dispute],
  payment_dispute_closed: [pay, dispute, ({ sandbox }, id) => sandbox.closeDispute(id, { outcome: 'won' })],
};

async function trigger(event: string, options: TriggerOptions, command: Command): Promise<void> {
  const pix = connectTo(options);
  const { id } = await pix.payments.create({ amount: options.amount });
  for (const step of stories[event] ?? []) await step(pix, id, options.amount);
  print(command, { event, payment: id });
}

export function addTriggerCommand(program: Command): void {
  program
    .command('trigger')
    .description('makes an event happen to a new payment of a test key')
    .addArgument(new Argument('<event>', 'event type').choices(Object.keys(stories)))
    .addOption(urlOption())
    .addOption(testKeyOption())
    .option('--amount <brl>', 'of the payment', decimal, 10)
    .action(trigger);
}
