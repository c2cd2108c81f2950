import { type Command, InvalidArgumentError, Option } from 'commander';
import type { ServedRequest, StreamedRequest } from '@pix-service/sdk';
import { type Connection, connectTo, testKeyOption, urlOption } from '../base/connection.ts';
import { sayLine } from '../base/print.ts';
import { untilStopped } from '../base/until-stopped.ts';
import { names } from '../base/values.ts';
import { followRequests } from '../feeds/request-feed.ts';

interface LogsOptions extends Connection {
  status?: string[];
  method?: string[];
  path?: string;
  refused?: true;
}

function statuses(text: string): string[] {
  const wanted = names(text.toLowerCase());
  if (wanted.every((each) => /^[1-5](xx|\d\d)$/.test(each))) return wanted;
  throw new InvalidArgumentError('must be statuses such as 404 or 4xx, separated by commas');
}

/** `ws` for operations over WebSockets. */
const methods = (text: string): string[] => names(text.toUpperCase());

function isWanted(request: ServedRequest, { status, method, path, refused }: LogsOptions): boolean {
  const code = String(request.status);
  return (
    (!status || status.some((each) => each === code || each === `${code.slice(0, 1)}xx`)) &&
    (!method || method.includes(request.method)) &&
    (path === undefined || request.path.startsWith(path)) &&
    (!refused || request.errors !== undefined)
  );
}

const textOfOperation = ({ type, name, fields }: NonNullable<ServedRequest['operation']>): string =>
  `${[type, name].filter(Boolean).join(' ')} { ${fields.join(' ')} }`;

const textOfError = ({ code, fields }: NonNullable<ServedRequest['errors']>[number]): string =>
  fields.length > 0 ? `${code}: ${fields.join(', ')}` : code;

function textOf(request: ServedRequest): string {
  const { at, method, path, status, durationMs, traceId, operation, idempotencyKey, errors = [] } = request;
  const parts = [
    at,
    request.isAborted ? `${status} (aborted)` : String(status),
    `${method} ${path}`,
    operation && textOfOperation(operation),
    `${durationMs} ms`,
    traceId,
    idempotencyKey && `Idempotency-Key ${idempotencyKey}`,
    ...errors.map(textOfError),
  ];
  return parts.filter(Boolean).join('  ');
}

const textOfNotice = (notice: Exclude<StreamedRequest, { event: 'request' }>): string => {
  if (notice.event === 'missed') return `${notice.data.count} requests were not shown`;
  return notice.data.allNodes
    ? 'Showing what all nodes serve'
    : 'Showing what one node serves: it has no connection to Redis';
};

async function logs(options: LogsOptions, command: Command): Promise<void> {
  const pix = connectTo(options);
  const onFailure = ({ message }: Error): void =>
    sayLine(command, { problem: message }, `${message}: connecting again; requests until then are not shown`);
  await untilStopped(async (signal) => {
    for await (const item of followRequests(pix, signal, onFailure)) {
      if (item.event !== 'request') sayLine(command, { [item.event]: item.data }, textOfNotice(item));
      else if (isWanted(item.data, options)) sayLine(command, item.data, textOf(item.data));
    }
  });
}

export function addLogsCommand(program: Command): void {
  program
    .command('logs')
    .description('shows the requests of a test key as they come, without anything of a payer')
    .addOption(urlOption())
    .addOption(testKeyOption())
    .addOption(new Option('--status <4xx,500>', 'only these').argParser(statuses))
    .addOption(new Option('--method <get,post>', 'only these').argParser(methods))
    .option('--path <prefix>', 'only what begins with it, such as /v1/payments')
    .option('--refused', 'only what was refused, also by GraphQL in a response with status 200')
    .action(logs);
}
