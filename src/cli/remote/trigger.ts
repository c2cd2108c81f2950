import { Argument, type Command } from 'commander';
import { decimal, print } from '../base/print.ts';
import { connectTo, keyOption, type RemoteOptions, type ServiceClient, urlOption } from './service-client.ts';

interface TriggerOptions extends RemoteOptions {
  amount: number;
}

type Step = (client: ServiceClient, paymentId: string, amount: number) => Promise<unknown>;

const sandbox =
  (action: string, body?: object): Step =>
  (client, id) =>
    client.post(`v1/sandbox/payments/${id}/${action}`, body);

const pay = sandbox('pay');
const refund =
  (share: number): Step =>
  (client, id, amount) =>
    client.post(`v1/payments/${id}/refunds`, { amount: Math.ceil(amount * share * 100) / 100 });
const cancel: Step = (client, id) => client.post(`v1/payments/${id}/cancel`);
const dispute = sandbox('dispute');

/** What happens to a new payment. The sandbox refunds whatever is asked, so there is no `refund_failed`. */
const stories: Record<string, readonly Step[]> = {
  payment_completed: [pay],
  payment_expired: [sandbox('expire')],
  payment_cancelled: [cancel],
  payment_duplicated: [pay, pay],
  refund_completed: [pay, refund(0.5)],
  payment_refunded: [pay, refund(1)],
  payment_reversed: [pay, sandbox('reverse')],
  payment_disputed: [pay, dispute],
  payment_dispute_closed: [pay, dispute, sandbox('dispute/close', { outcome: 'won' })],
};

async function trigger(event: string, options: TriggerOptions, command: Command): Promise<void> {
  const client = connectTo(options);
  const { id } = await client.post<{ id: string }>('v1/payments', { amount: options.amount });
  for (const step of stories[event] ?? []) await step(client, id, options.amount);
  print(command, { event, payment: id });
}

export function addTriggerCommand(program: Command): void {
  program
    .command('trigger')
    .description('makes an event happen to a new payment of a test key')
    .addArgument(new Argument('<event>', 'event type').choices(Object.keys(stories)))
    .addOption(urlOption())
    .addOption(keyOption())
    .option('--amount <brl>', 'of the payment', decimal, 10)
    .action(trigger);
}
