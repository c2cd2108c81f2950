import type { CreateWebhookEndpoint, UpdateWebhookEndpoint, WebhookEndpoints } from '@pix-service/sdk';
import type { Command } from 'commander';
import { connectAsAllowed, type KeyedConnection, keyedCommand } from '../base/connection.ts';
import { print, printList } from '../base/print.ts';
import { take } from '../base/take.ts';
import { names } from '../base/values.ts';

type IdOptions = KeyedConnection & { id: string };

interface EndpointOptions {
  endpointUrl?: string;
  name?: string;
  events?: string[];
}

const bodyOf = ({ endpointUrl, name, events }: EndpointOptions) => ({
  ...(endpointUrl !== undefined && { url: endpointUrl }),
  ...(name !== undefined && { name }),
  ...(events && { events }),
});

const endpointsOf = (options: KeyedConnection): WebhookEndpoints =>
  connectAsAllowed(options).webhookEndpoints;

const ask =
  (work: (endpoints: WebhookEndpoints, id: string) => Promise<object>) =>
  async ({ id, ...options }: IdOptions, command: Command): Promise<void> => {
    print(command, await work(endpointsOf(options), id));
  };

export function addEndpointCommands(program: Command): void {
  const endpoint = program
    .command('endpoint')
    .description('webhook endpoints, with a key that has the permission webhooks:manage');
  const ofOne = (name: string, description: string) =>
    keyedCommand(endpoint, name, description).requiredOption('--id <id>', 'endpoint');
  const described = (command: Command) =>
    command
      .option('--name <name>', 'for people')
      .option('--events <a,b>', 'types of events; none for all of payments', names);

  keyedCommand(endpoint, 'list', 'lists them, oldest first').action(
    async (options: KeyedConnection, command: Command) => {
      printList(command, await take(Infinity, endpointsOf(options).list()));
    },
  );
  described(
    keyedCommand(endpoint, 'create', 'creates one, and prints its signing secret once').requiredOption(
      '--endpoint-url <url>',
      'https, or also http in test mode',
    ),
  ).action(async (options: KeyedConnection & EndpointOptions, command: Command) => {
    print(command, await endpointsOf(options).create(bodyOf(options) as CreateWebhookEndpoint));
  });
  described(
    ofOne('update', 'changes one').option('--endpoint-url <url>', 'https, or also http in test mode'),
  ).action(async (options: IdOptions & EndpointOptions, command: Command) => {
    print(command, await endpointsOf(options).update(options.id, bodyOf(options) as UpdateWebhookEndpoint));
  });
  ofOne('enable', 'sends to it again, also what was pending').action(ask((to, id) => to.enable(id)));
  ofOne('disable', 'sends nothing to it any more').action(ask((to, id) => to.disable(id)));
  ofOne('rotate', 'creates a new secret; the old one keeps signing for 24 hours').action(
    ask((to, id) => to.rotateSecret(id)),
  );
  ofOne('test', 'sends an event about nothing, and prints the response').action(ask((to, id) => to.test(id)));
  ofOne('delete', 'deletes it for good').action(
    ask(async (from, id) => {
      await from.delete(id);
      return { id, deleted: true };
    }),
  );
}
