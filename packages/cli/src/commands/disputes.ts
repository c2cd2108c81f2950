import { readFile, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import type { Command } from 'commander';
import { connectAsAllowed, type KeyedConnection, keyedCommand, request } from '../base/connection.ts';
import { print, printList } from '../base/print.ts';
import { take } from '../base/take.ts';

type IdOptions = KeyedConnection & { id: string };

async function list({ all, ...connection }: KeyedConnection & { all?: true }, command: Command) {
  const { disputes } = connectAsAllowed(connection);
  printList(command, await take(100, disputes.list({ limit: 100, ...(!all && { open: true }) })));
}

async function defend(
  { id, statement, file = [], ...connection }: IdOptions & { statement: string; file?: string[] },
  command: Command,
): Promise<void> {
  const { disputes } = connectAsAllowed(connection);
  const documents = await Promise.all(
    file.map(async (path) => ({ name: basename(path), content: await readFile(path, 'base64') })),
  );
  print(command, await disputes.defend(id, { statement, documents }));
}

async function evidence(
  { id, output, language, ...connection }: IdOptions & { output: string; language?: string },
  command: Command,
): Promise<void> {
  connectAsAllowed(connection);
  const query = language === undefined ? '' : `?language=${encodeURIComponent(language)}`;
  const path = `v1/disputes/${encodeURIComponent(id)}/evidence${query}`;
  const response = await request(connection, path, { headers: { Accept: 'application/pdf' } });
  const pdf = Buffer.from(await response.arrayBuffer());
  await writeFile(output, pdf);
  print(command, { output, bytes: pdf.length });
}

export function addDisputeCommands(program: Command): void {
  const dispute = program.command('dispute').description('what payers contest, and what is answered');
  const ofOne = (name: string, description: string) =>
    keyedCommand(dispute, name, description).requiredOption('--id <id>', 'dispute');

  keyedCommand(dispute, 'list', 'lists open disputes, the earliest deadline first')
    .option('--all', 'also those that have ended, newest first')
    .action(list);
  ofOne('show', 'shows a dispute and how it can be answered').action(
    async ({ id, ...connection }: IdOptions, command: Command) => {
      print(command, await connectAsAllowed(connection).disputes.get(id));
    },
  );
  ofOne('defend', 'sends a defence to the provider')
    .requiredOption('--statement <text>', 'why the claim is not justified')
    .option('--file <path...>', 'PDF, PNG or JPEG, at most five and 10 MB together')
    .action(defend);
  ofOne('accept', 'gives the money back').action(
    async ({ id, ...connection }: IdOptions, command: Command) => {
      print(command, await connectAsAllowed(connection).disputes.accept(id));
    },
  );
  ofOne('evidence', 'writes what is known of the payment to a PDF')
    .requiredOption('--output <file>', 'file to write')
    .option('--language <pt|en>', 'language of the PDF, pt by default')
    .action(evidence);
}
