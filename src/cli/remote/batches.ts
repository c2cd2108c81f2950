import { hash } from 'node:crypto';
import type { Command } from 'commander';
import { badRequest } from '../../core/base/errors.ts';
import { isJsonObject } from '../../core/base/json/json-object.ts';
import { readJson } from '../base/json-file.ts';
import { isJson, print } from '../base/print.ts';
import { connectAsAllowed, keyedCommand, type LiveRemoteOptions } from './service-client.ts';

interface CreateOptions extends LiveRemoteOptions {
  from: string;
  idempotencyKey?: string;
}

interface Batch {
  items: object[];
}

async function create({ from, idempotencyKey, ...remote }: CreateOptions, command: Command): Promise<void> {
  const client = connectAsAllowed(remote);
  const body = await readJson(from);
  if (!isJsonObject(body)) throw badRequest(`${from} must have a JSON object`);
  // Who repeats a command without knowing whether it arrived must not charge everybody twice.
  const key = idempotencyKey ?? `pix batch ${hash('sha256', JSON.stringify(body))}`;
  print(command, await client.post<object>('v1/payment-batches', body, { 'Idempotency-Key': key }));
}

async function show({ id, ...remote }: LiveRemoteOptions & { id: string }, command: Command): Promise<void> {
  const client = connectAsAllowed(remote);
  const batch = await client.get<Batch>(`v1/payment-batches/${encodeURIComponent(id)}`);
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
