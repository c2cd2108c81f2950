import { hash } from 'node:crypto';
import type { CreatePaymentBatch } from '@pix-service/sdk';
import type { Command } from 'commander';
import { connectAsAllowed, type KeyedConnection, keyedCommand } from '../base/connection.ts';
import { readJsonObject } from '../base/json-file.ts';
import { isJson, print } from '../base/print.ts';

interface CreateOptions extends KeyedConnection {
  from: string;
  idempotencyKey?: string;
}

async function create({ from, idempotencyKey, ...connection }: CreateOptions, command: Command) {
  const { batches } = connectAsAllowed(connection);
  const body = await readJsonObject<CreatePaymentBatch>(from);
  // Who repeats a command without knowing whether it arrived must not charge everybody twice.
  const key = idempotencyKey ?? `pix batch ${hash('sha256', JSON.stringify(body))}`;
  print(command, await batches.create(body, { idempotencyKey: key }));
}

async function show({ id, ...connection }: KeyedConnection & { id: string }, command: Command) {
  const batch = await connectAsAllowed(connection).batches.get(id);
  const { items, ...counts } = batch;
  print(command, isJson(command) ? batch : [counts, ...items]);
}

export function addBatchCommands(program: Command): void {
  const batch = program.command('batch').description('many payments at once, and instalments');
  keyedCommand(
    batch,
    'create',
    'creates the payments of a file, which has the body of POST /v1/payment-batches',
  )
    .requiredOption('--from <file>', '{"payments": […]}, or {"payment", "instalments", "every"}')
    .option('--idempotency-key <key>', 'to use the same file again; without it, nothing happens twice')
    .action(create);
  keyedCommand(batch, 'show', 'shows the outcome of each payment')
    .requiredOption('--id <id>', 'batch')
    .action(show);
}
