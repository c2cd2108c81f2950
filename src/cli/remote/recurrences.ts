import { hash } from 'node:crypto';
import type { Command } from 'commander';
import { badRequest } from '../../core/base/errors.ts';
import { isJsonObject } from '../../core/base/json/json-object.ts';
import { readJson } from '../base/json-file.ts';
import { isJson, nonEmptyId, print } from '../base/print.ts';
import { connectAsAllowed, keyedCommand, type LiveRemoteOptions } from './service-client.ts';

interface CreateOptions extends LiveRemoteOptions {
  from: string;
  idempotencyKey?: string;
}

type IdOptions = LiveRemoteOptions & { id: string };

const pathOf = (id: string) => `v1/recurrences/${encodeURIComponent(id)}`;

async function create({ from, idempotencyKey, ...remote }: CreateOptions, command: Command): Promise<void> {
  const client = connectAsAllowed(remote);
  const body = await readJson(from);
  if (!isJsonObject(body)) throw badRequest(`${from} must have a JSON object`);
  // Who repeats a command without knowing whether it arrived must not ask a payer twice.
  const key = idempotencyKey ?? `pix recurrence ${hash('sha256', JSON.stringify(body))}`;
  print(command, await client.post<object>('v1/recurrences', body, { 'Idempotency-Key': key }));
}

async function show({ id, ...remote }: IdOptions, command: Command): Promise<void> {
  const client = connectAsAllowed(remote);
  const recurrence = await client.get<object>(pathOf(id));
  const { data } = await client.get<{ data: object[] }>(`${pathOf(id)}/payments`);
  print(command, isJson(command) ? { ...recurrence, payments: data } : [recurrence, ...data]);
}

async function cancel({ id, ...remote }: IdOptions, command: Command): Promise<void> {
  print(command, await connectAsAllowed(remote).post<object>(`${pathOf(id)}/cancel`));
}

export function addRecurrenceCommands(program: Command): void {
  const recurrence = program.command('recurrence').description('recurring debits (Pix Automático)');
  const remoteCommand = (name: string, description: string) => keyedCommand(recurrence, name, description);
  remoteCommand('create', 'asks a payer for what a file says, which has the body of POST /v1/recurrences')
    .requiredOption('--from <file>', '{"payer", "contract", "frequency", "startDate", "authorization", …}')
    .option('--idempotency-key <key>', 'to use the same file again; without it, nothing happens twice')
    .action(create);
  remoteCommand('show', 'shows a recurrence and its latest debits')
    .requiredOption('--id <id>', 'recurrence', nonEmptyId)
    .action(show);
  remoteCommand('cancel', 'ends a recurrence and its scheduled debits')
    .requiredOption('--id <id>', 'recurrence', nonEmptyId)
    .action(cancel);
}
