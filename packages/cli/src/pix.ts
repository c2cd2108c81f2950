#!/usr/bin/env node
import { ApiError, PixError } from '@pix-service/sdk';
import { Command } from 'commander';
import { Mistake } from './base/mistake.ts';
import { visible } from './base/print.ts';
import { stopWithoutReader } from './base/until-stopped.ts';
import { refuseEmptyIds } from './base/values.ts';
import { addCommands } from './commands.ts';

stopWithoutReader();
const program = new Command('pix')
  .description('Payments of a PIX payment service, and its webhooks on your computer.')
  .option('--json', 'print exactly one JSON value')
  .showHelpAfterError();
addCommands(program);
refuseEmptyIds(program);

try {
  await program.parseAsync();
} catch (error) {
  const isExpected = error instanceof PixError || error instanceof Mistake;
  const help = error instanceof ApiError && error.helpUrl ? ` (${error.helpUrl})` : '';
  process.stderr.write(`${visible(isExpected ? `${error.message}${help}` : String(error))}\n`);
  process.exitCode = 1;
}
