import { stopWithoutReader } from '#cli/base/until-stopped.js';
import { runCommand } from './cli/run-command.ts';

stopWithoutReader();
process.exitCode = await runCommand(process.argv.slice(2), process);
