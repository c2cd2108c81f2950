import { randomUUID } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { isJson, nonEmptyId, print } from '../base/print.ts';
import { connectAsAllowed, keyedCommand, type LiveRemoteOptions } from './service-client.ts';

type IdOptions = LiveRemoteOptions & { id: string };

const pathOf = (id: string) => `v1/disputes/${encodeURIComponent(id)}`;

async function list({ all, ...remote }: LiveRemoteOptions & { all?: true }, command: Command): Promise<void> {
  const client = connectAsAllowed(remote);
  const { data } = await client.get<{ data: object[] }>(`v1/disputes?limit=100${all ? '' : '&open=true'}`);
  print(command, isJson(command) ? { data } : data);
}

async function show({ id, ...remote }: IdOptions, command: Command): Promise<void> {
  print(command, await connectAsAllowed(remote).get<object>(pathOf(id)));
}

async function defend(
  { id, statement, file = [], ...remote }: IdOptions & { statement: string; file?: string[] },
  command: Command,
): Promise<void> {
  const client = connectAsAllowed(remote);
  const documents = await Promise.all(
    file.map(async (path) => ({ name: basename(path), content: await readFile(path, 'base64') })),
  );
  const key = { 'Idempotency-Key': randomUUID() };
  print(command, await client.post<object>(`${pathOf(id)}/defence`, { statement, documents }, key));
}

async function accept({ id, ...remote }: IdOptions, command: Command): Promise<void> {
  print(command, await connectAsAllowed(remote).post<object>(`${pathOf(id)}/accept`));
}

async function evidence(
  { id, output, language, ...remote }: IdOptions & { output: string; language?: string },
  command: Command,
): Promise<void> {
  const client = connectAsAllowed(remote);
  const query = language === undefined ? '' : `?language=${encodeURIComponent(language)}`;
  const pdf = await client.getFile(`${pathOf(id)}/evidence${query}`, 'application/pdf');
  await writeFile(output, pdf);
  print(command, { output, bytes: pdf.length });
}

export function addDisputeCommands(program: Command): void {
  const dispute = program.command('dispute').description('what payers contest, and what is answered');
  const remoteCommand = (name: string, description: string) => keyedCommand(dispute, name, description);
  remoteCommand('list', 'lists open disputes, the earliest deadline first')
    .option('--all', 'also those that have ended, newest first')
    .action(list);
  remoteCommand('show', 'shows a dispute and how it can be answered')
    .requiredOption('--id <id>', 'dispute', nonEmptyId)
    .action(show);
  remoteCommand('defend', 'sends a defence to the provider')
    .requiredOption('--id <id>', 'dispute', nonEmptyId)
    .requiredOption('--statement <text>', 'why the claim is not justified')
    .option('--file <path...>', 'PDF, PNG or JPEG, at most five and 10 MB together')
    .action(defend);
  remoteCommand('accept', 'gives the money back')
    .requiredOption('--id <id>', 'dispute', nonEmptyId)
    .action(accept);
  remoteCommand('evidence', 'writes what is known of the payment to a PDF')
    .requiredOption('--id <id>', 'dispute', nonEmptyId)
    .requiredOption('--output <file>', 'file to write')
    .option('--language <pt|en>', 'language of the PDF, pt by default')
    .action(evidence);
}
