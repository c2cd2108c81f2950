import type { CreatePayment, PaymentFilter } from '@pix-service/sdk';
import { type Command, Option } from 'commander';
import { connectAsAllowed, connectTo, type KeyedConnection, keyedCommand } from '../base/connection.ts';
import { parseJson, readJsonObject } from '../base/json-file.ts';
import { Mistake } from '../base/mistake.ts';
import { print, printList } from '../base/print.ts';
import { take } from '../base/take.ts';
import { decimal, nonEmptyId, wholeNumber } from '../base/values.ts';

interface CreateOptions extends KeyedConnection {
  from?: string;
  amount?: number;
  externalId?: string;
  description?: string;
  expirationMinutes?: number;
  payerName?: string;
  payerDocument?: string;
  metadata?: Record<string, unknown>;
  idempotencyKey?: string;
}

interface ListOptions extends KeyedConnection {
  status?: NonNullable<PaymentFilter['status']>;
  externalId?: string;
  search?: string;
  limit: number;
}

const statuses = ['pending', 'completed', 'expired', 'cancelled', 'refunded', 'failed'] as const;

function payerOf({ payerName: name, payerDocument: document }: CreateOptions) {
  return name === undefined && document === undefined ? undefined : { name, document };
}

/** What the options say takes precedence over the file. */
async function bodyOf(options: CreateOptions): Promise<CreatePayment> {
  const { amount, externalId, description, expirationMinutes, metadata } = options;
  const file = options.from === undefined ? {} : await readJsonObject<object>(options.from);
  const payer = payerOf(options);
  const given = { amount, externalId, description, expirationMinutes, metadata, payer };
  const body = { ...file, ...JSON.parse(JSON.stringify(given)) } as Partial<CreatePayment>;
  if (body.amount === undefined) throw new Mistake('--amount or --from with an amount is required');
  return body as CreatePayment;
}

async function create(options: CreateOptions, command: Command): Promise<void> {
  const { payments } = connectAsAllowed(options);
  const { idempotencyKey } = options;
  const created = await payments.create(
    await bodyOf(options),
    idempotencyKey === undefined ? {} : { idempotencyKey },
  );
  print(command, created);
}

async function list({ status, externalId, search, limit, ...connection }: ListOptions, command: Command) {
  const { payments } = connectAsAllowed(connection);
  const filter = {
    ...(status && { status }),
    ...(externalId !== undefined && { externalId }),
    ...(search !== undefined && { search }),
    limit: Math.min(limit, 100),
  };
  printList(command, await take(limit, payments.list(filter)));
}

async function refund(
  id: string,
  { amount, reason, ...connection }: KeyedConnection & { amount?: number; reason?: string },
  command: Command,
): Promise<void> {
  const { payments } = connectAsAllowed(connection);
  const body = { ...(amount !== undefined && { amount }), ...(reason !== undefined && { reason }) };
  print(command, await payments.refund(id, body));
}

export function addPaymentCommands(program: Command): void {
  const payment = program
    .command('payments')
    .alias('payment')
    .description('creates, reads, lists, cancels and refunds payments');
  const ofOne = (name: string, description: string) =>
    keyedCommand(payment, name, description).argument('<id>', 'payment', nonEmptyId);

  keyedCommand(payment, 'create', 'creates a payment, and prints its code')
    .option('--amount <brl>', 'such as 19.90', decimal)
    .option('--external-id <reference>', 'a reference of your own')
    .option('--description <text>', 'what it is for; the payer sees it')
    .option('--expiration-minutes <minutes>', 'default: 30', wholeNumber)
    .option('--payer-name <name>', 'who pays')
    .option('--payer-document <document>', 'CPF or CNPJ')
    .option('--metadata <json>', 'an object, returned as it is', (text) => parseJson(text, '--metadata'))
    .option('--from <file>', 'the body of POST /v1/payments, for whatever has no option')
    .option('--idempotency-key <key>', 'repeat it, and nothing happens twice; default: a new one')
    .action(create);
  ofOne('get', 'shows a payment').action(async (id: string, options: KeyedConnection, command: Command) => {
    print(command, await connectAsAllowed(options).payments.get(id));
  });
  keyedCommand(payment, 'list', 'lists payments, newest first')
    .addOption(new Option('--status <status>', 'only these').choices(statuses))
    .option('--external-id <reference>', 'exactly this reference')
    .option('--search <text>', 'a reference, an id, a code, an amount, or words about the payer')
    .option('--limit <count>', 'how many at most', wholeNumber, 20)
    .action(list);
  ofOne('cancel', 'cancels a pending payment').action(
    async (id: string, options: KeyedConnection, command: Command) => {
      print(command, await connectAsAllowed(options).payments.cancel(id));
    },
  );
  ofOne('refund', 'gives money back')
    .option('--amount <brl>', 'default: all that is left', decimal)
    .option('--reason <text>', 'for your records')
    .action(refund);
  ofOne('pay', 'plays the payer of a test payment').action(
    async (id: string, options: KeyedConnection, command: Command) => {
      print(command, await connectTo(options).sandbox.pay(id));
    },
  );
}
