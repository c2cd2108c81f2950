import { readFile, writeFile } from 'node:fs/promises';
import type { Command } from 'commander';
import { badRequest } from '../../core/base/errors.ts';
import { allWithoutNulls, parse } from '../../core/base/parsing/parse.ts';
import { reaisFromCents } from '../../core/base/money.ts';
import type { StepSeen } from '../../core/conformance/run-steps.ts';
import {
  type ConformanceReport,
  hasHeld,
  markdownOf,
  outcomeWords,
  summaryOf,
  textOf,
} from '../../core/conformance/rules/report.ts';
import { payerObject } from '../../core/payments/rules/create-payment-input.ts';
import type { Payer } from '../../core/providers/rules/charge.ts';
import { readJson } from '#cli/base/json-file.js';
import { isJson, print, write } from '#cli/base/print.js';
import { wholeNumber } from '#cli/base/values.js';
import type { Session } from '../base/session.ts';

interface ConformanceOptions {
  credential: string;
  wait: number;
  payer?: string;
  report?: string;
  realMoney?: true;
}

async function readPayer(file: string): Promise<Payer> {
  const given = parse(payerObject('live'), allWithoutNulls(await readJson(file)));
  const { name = null, document = null, email = null, phone = null, address = null } = given;
  return { name, document, email, phone, address };
}

/** Reads the version of the release that is installed. */
async function versionHere(): Promise<string> {
  const text = await readFile(new URL('../../../package.json', import.meta.url), 'utf8');
  return (JSON.parse(text) as { version: string }).version;
}

const lineOf = ({ step, outcome, milliseconds, detail, ...found }: StepSeen): string => {
  const about = [textOf(found), detail && `[${detail}]`].filter(Boolean).join(' ');
  return `${outcomeWords[outcome].padEnd(12)} ${step.padEnd(18)} ${`${milliseconds} ms`.padStart(8)}  ${about}`;
};

const fileOf = ({ provider, preset, day }: ConformanceReport): string =>
  `${['conformance', provider, ...(preset ? [preset] : []), day].join('-')}.md`;

export function addConformanceCommand(program: Command, { withServices }: Session): void {
  program
    .command('conformance')
    .description(
      'runs the whole life of a charge against the provider of a credential, and writes a report that can be published',
    )
    .requiredOption('--credential <id>', 'credential, usually for the test environment of the provider')
    .option('--wait <seconds>', 'how long to wait for somebody to pay the code', wholeNumber, 300)
    .option('--payer <file>', 'a payer as JSON, as in a payment; an invented one in a test environment')
    .option('--report <file>', 'where to write the report; named after provider and day by default')
    .option('--real-money', 'allow an address that is, or may be, of production: what is paid is refunded')
    .action(async (options: ConformanceOptions, command: Command) => {
      const payer = options.payer === undefined ? undefined : await readPayer(options.payer);
      const version = await versionHere();
      const say = (text: string) => command.configureOutput().writeErr?.(`${text}\n`);
      const stopping = new AbortController();
      const stop = (): void => {
        say('ending what was made; once more to leave it there');
        stopping.abort();
      };
      process.once('SIGINT', stop).once('SIGTERM', stop);
      try {
        const report = await withServices(async ({ conformance, unreadableResponses }) => {
          const ran = await conformance.run(options.credential, {
            version,
            waitMs: options.wait * 1_000,
            realMoney: options.realMoney === true,
            payer,
            interruption: stopping.signal,
            onStep: (step) => {
              if (!isJson(command)) write(command, `${lineOf(step)}\n`);
            },
            onCode: (code, amountInCents) => {
              const amount = reaisFromCents(amountInCents).toFixed(2);
              say(`pay R$ ${amount} within ${options.wait} s, which is then refunded:\n${code}`);
            },
            onLeft: (ids) => {
              say(`look in the panel of the provider for what is left: ${ids.join(', ')}`);
            },
          });
          // `credential responses` shows them.
          await unreadableResponses.drain();
          return ran;
        });
        const file = options.report ?? fileOf(report);
        const text = markdownOf(report);
        const isWritten = await writeFile(file, text).then(
          () => true,
          () => false,
        );
        if (isJson(command)) print(command, report);
        else write(command, `\n${summaryOf(report)}${isWritten ? `: see ${file}` : `\n\n${text}`}\n`);
        if (!isWritten) throw badRequest(`cannot write ${file}`);
        if (!hasHeld(report)) throw badRequest('not everything that is offered was seen to hold');
      } finally {
        process.off('SIGINT', stop).off('SIGTERM', stop);
      }
    });
}
