import type { Command } from 'commander';
import { isJson, names, nonEmptyId, print } from '../base/print.ts';
import { connectAsAllowed, keyedCommand, type LiveRemoteOptions } from './service-client.ts';

type IdOptions = LiveRemoteOptions & { id: string };

interface EndpointOptions {
  endpointUrl?: string;
  name?: string;
  events?: string[];
}

const endpointPath = (id: string) => `v1/webhook-endpoints/${encodeURIComponent(id)}`;

const bodyOf = ({ endpointUrl: url, name, events }: EndpointOptions) => ({ url, name, events });

async function list(options: LiveRemoteOptions, command: Command): Promise<void> {
  const { data } = await connectAsAllowed(options).get<{ data: object[] }>('v1/webhook-endpoints');
  print(command, isJson(command) ? { data } : data);
}

async function create(options: LiveRemoteOptions & EndpointOptions, command: Command): Promise<void> {
  print(command, await connectAsAllowed(options).post<object>('v1/webhook-endpoints', bodyOf(options)));
}

async function update(options: IdOptions & EndpointOptions, command: Command): Promise<void> {
  print(command, await connectAsAllowed(options).patch<object>(endpointPath(options.id), bodyOf(options)));
}

const post = (what: string) => async (options: IdOptions, command: Command) => {
  print(command, await connectAsAllowed(options).post<object>(`${endpointPath(options.id)}/${what}`));
};

export function addEndpointCommands(program: Command): void {
  const endpoint = program
    .command('endpoint')
    .description('webhook endpoints, with a key that has the permission webhooks:manage');
  const ofOne = (name: string, description: string) =>
    keyedCommand(endpoint, name, description).requiredOption('--id <id>', 'endpoint', nonEmptyId);
  const described = (command: Command) =>
    command
      .option('--name <name>', 'for people')
      .option('--events <a,b>', 'types of events; none for all of payments', names);

  keyedCommand(endpoint, 'list', 'lists them, oldest first').action(list);
  described(
    keyedCommand(endpoint, 'create', 'creates one, and prints its signing secret once').requiredOption(
      '--endpoint-url <url>',
      'https, or also http in test mode',
    ),
  ).action(create);
  described(
    ofOne('update', 'changes one').option('--endpoint-url <url>', 'https, or also http in test mode'),
  ).action(update);
  ofOne('enable', 'sends to it again, also what was pending').action(post('enable'));
  ofOne('disable', 'sends nothing to it any more').action(post('disable'));
  ofOne('rotate', 'creates a new secret; the old one keeps signing for 24 hours').action(
    post('rotate-secret'),
  );
  ofOne('test', 'sends an event about nothing, and prints the response').action(post('test'));
  ofOne('delete', 'deletes it for good').action(async ({ id, ...remote }: IdOptions, command: Command) => {
    print(command, await connectAsAllowed(remote).delete<object>(endpointPath(id)));
  });
}
