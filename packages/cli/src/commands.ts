import type { Command } from 'commander';
import { addBatchCommands } from './commands/batches.ts';
import { addClockCommand } from './commands/clock.ts';
import { addDisputeCommands } from './commands/disputes.ts';
import { addEndpointCommands } from './commands/endpoints.ts';
import { addListenCommand } from './commands/listen.ts';
import { addLogsCommand } from './commands/logs.ts';
import { addPaymentCommands } from './commands/payments.ts';
import { addRecurrenceCommands } from './commands/recurrences.ts';
import { addRefundCommands } from './commands/refunds.ts';
import { addTriggerCommand } from './commands/trigger.ts';

/** Adds every command that needs the address of a service and a key, and nothing else. */
export function addCommands(program: Command): void {
  addListenCommand(program);
  addTriggerCommand(program);
  addLogsCommand(program);
  addPaymentCommands(program);
  addBatchCommands(program);
  addRecurrenceCommands(program);
  addRefundCommands(program);
  addDisputeCommands(program);
  addEndpointCommands(program);
  addClockCommand(program);
}
