import { hash } from 'node:crypto';
import type { CreateRecurrence } from '@pix-service/sdk';
import type { Command } from 'commander';
import { connectAsAllowed, type KeyedConnection, keyedCommand } from '../base/connection.ts';
import { readJsonObject } from '../base/json-file.ts';
import { isJson, print } from '../base/print.ts';
import { take } from '../base/take.ts';

interface CreateOptions extends KeyedConnection {
  from: string;
  idempotencyKey?: string;
}

type IdOptions = KeyedConnection & { id: string };

async function create({ from, idempotencyKey, ...connection }: CreateOptions, command: Command) {
  const { recurrences } = connectAsAllowed(connection);
  const body = await readJsonObject<CreateRecurrence>(from);
  // Who repeats a command without knowing whether it arrived must not ask a payer twice.
  const key = idempotencyKey ?? `pix recurrence ${hash('sha256', JSON.stringify(body))}`;
  print(command, await recurrences.create(body, { idempotencyKey: key }));
}

async function show({ id, ...connection }: IdOptions, command: Command): Promise<void> {
  const { recurrences } = connectAsAllowed(connection);
  const recurrence = await recurrences.get(id);
  const payments = await take(20, recurrences.payments(id));
  print(command, isJson(command) ? { ...recurrence, payments } : [recurrence, ...payments]);
}

export function addRecurrenceCommands(program: Command): void {
  const recurrence = program.command('recurrence').description('recurring debits (Pix Automático)');
  const ofOne = (name: string, description: string) =>
    keyedCommand(recurrence, name, description).requiredOption('--id <id>', 'recurrence');

  keyedCommand(
    recurrence,
    'create',
    'asks a payer for what a file says, which has the body of POST /v1/recurrences',
  )
    .requiredOption('--from <file>', '{"payer", "contract", "frequency", "startDate", "authorization", …}')
    .option('--idempotency-key <key>', 'to use the same file again; without it, nothing happens twice')
    .action(create);
  ofOne('show', 'shows a recurrence and its latest debits').action(show);
  ofOne('cancel', 'ends a recurrence and its scheduled debits').action(
    async ({ id, ...connection }: IdOptions, command: Command) => {
      print(command, await connectAsAllowed(connection).recurrences.cancel(id));
    },
  );
}
