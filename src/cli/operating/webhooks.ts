import { type Command, Option } from 'commander';
import type { Services } from '../../core/create-services.ts';
import { eventTypes } from '../../core/events/rules/events.ts';
import type { Mode } from '../../core/base/mode.ts';
import { deliveryStates } from '../../core/webhooks/rules/webhook.ts';
import { operatorFor } from '../../core/base/caller.ts';
import type {
  EndpointWithSecret,
  WebhookEndpointView,
} from '../../core/webhooks/views/webhook-endpoint-view.ts';
import { isJson, print } from '#cli/base/print.js';
import { wholeNumber } from '#cli/base/values.js';
import { instant } from '../base/values.ts';
import type { Session } from '../base/session.ts';

/** Prints "all" for people when no event types are set. */
const printable = (
  command: Command,
  { id, name, url, events, enabled, ...more }: WebhookEndpointView | EndpointWithSecret,
) => ({
  id,
  name: name ?? null,
  url,
  events: events.length > 0 || isJson(command) ? events : 'all',
  enabled,
  ...('secret' in more
    ? { secret: more.secret }
    : {
        mode: more.isTest ? 'test' : 'live',
        disabledReason: more.disabledReason ?? null,
        failingSince: more.failingSince ?? null,
      }),
});

/** There is no value for "none": an endpoint without a list receives all events. */
const eventNames = (text: string): string[] => text.split(',').map((name) => name.trim());

interface TenantOptions {
  org: string;
  mode: Mode;
}

const operatorOf = async ({ organizations }: Services, { org, mode }: TenantOptions) =>
  operatorFor((await organizations.get(org)).id, mode);

const modeOption = () =>
  new Option('--mode <mode>', 'test or live').choices(['test', 'live']).makeOptionMandatory();

interface CreateOptions extends TenantOptions {
  url: string;
  name?: string;
  events?: string[];
}

interface DeliveriesOptions {
  id: string;
  limit: number;
  cursor?: string;
  state?: string;
  event?: string;
}

interface ResendOptions {
  delivery?: string;
  id?: string;
  undelivered?: boolean;
  since?: Date;
  until?: Date;
}

async function resend({ webhookDeliveries, webhookEndpoints }: Services, options: ResendOptions) {
  const { delivery, id, undelivered, since, until } = options;
  if (delivery !== undefined) {
    return webhookDeliveries.resend(await webhookDeliveries.operatorOf(delivery), delivery);
  }
  if (id === undefined || (since === undefined && !undelivered)) return undefined;
  const caller = await webhookEndpoints.operatorOf(id);
  if (since === undefined) return { resent: await webhookDeliveries.resendUndelivered(caller, id) };
  return { resent: await webhookDeliveries.resendSince(caller, id, since, until) };
}

export function addWebhookCommands(program: Command, { withServices }: Session): void {
  const webhook = program.command('webhook').description('endpoints that receive events');

  webhook
    .command('create')
    .requiredOption('--org <id>', 'organization')
    .addOption(modeOption())
    .requiredOption('--url <url>', 'https, or also http in test mode')
    .option('--name <name>', 'for people')
    .option('--events <a,b>', 'default: all', eventNames)
    .action(async (options: CreateOptions, command: Command) => {
      const created = await withServices(async (services) => {
        const { name, url, events } = options;
        return services.webhookEndpoints.create(await operatorOf(services, options), { name, url, events });
      });
      print(command, printable(command, created));
    });

  webhook
    .command('rename')
    .requiredOption('--id <id>', 'endpoint')
    .requiredOption('--name <name>', 'for people; an empty one removes it')
    .action(async ({ id, name }: { id: string; name: string }, command: Command) => {
      const renamed = await withServices(async ({ webhookEndpoints }) =>
        webhookEndpoints.change(await webhookEndpoints.operatorOf(id), id, { name }),
      );
      print(command, printable(command, renamed));
    });

  webhook
    .command('list')
    .requiredOption('--org <id>', 'organization')
    .addOption(modeOption())
    .action(async (options: TenantOptions, command: Command) => {
      const all = await withServices(async (services) =>
        services.webhookEndpoints.list(await operatorOf(services, options)),
      );
      print(
        command,
        all.map((each) => printable(command, each)),
      );
    });

  webhook
    .command('rotate')
    .description('creates a new secret; the old one keeps signing for 24 hours')
    .requiredOption('--id <id>', 'endpoint')
    .action(async ({ id }: { id: string }, command: Command) => {
      const rotated = await withServices(async ({ webhookEndpoints }) =>
        webhookEndpoints.rotate(await webhookEndpoints.operatorOf(id), id),
      );
      print(command, printable(command, rotated));
    });

  for (const [verb, enabled] of [
    ['enable', true],
    ['disable', false],
  ] as const) {
    webhook
      .command(verb)
      .requiredOption('--id <id>', 'endpoint')
      .action(async ({ id }: { id: string }, command: Command) => {
        const changed = await withServices(async ({ webhookEndpoints }) =>
          webhookEndpoints.setEnabled(await webhookEndpoints.operatorOf(id), id, enabled),
        );
        print(command, printable(command, changed));
      });
  }

  webhook
    .command('deliveries')
    .description('deliveries to an endpoint, newest events first')
    .requiredOption('--id <id>', 'endpoint')
    .addOption(new Option('--state <state>', 'where they stand').choices(deliveryStates))
    .addOption(new Option('--event <type>', 'type of their events').choices(eventTypes))
    .option('--limit <n>', '1 to 100', wholeNumber, 20)
    .option('--cursor <cursor>', 'from the previous page')
    .action(async ({ id, event, ...page }: DeliveriesOptions, command: Command) => {
      const found = await withServices(async ({ webhookEndpoints, webhookDeliveries }) =>
        webhookDeliveries.list(await webhookEndpoints.operatorOf(id), id, { ...page, eventType: event }),
      );
      print(command, found);
    });

  webhook
    .command('test')
    .description('sends an event about nothing, and prints the response')
    .requiredOption('--id <id>', 'endpoint')
    .action(async ({ id }: { id: string }, command: Command) => {
      const attempt = await withServices(async ({ webhookEndpoints }) =>
        webhookEndpoints.test(await webhookEndpoints.operatorOf(id), id),
      );
      print(command, attempt);
    });

  webhook
    .command('delete')
    .description('deletes an endpoint for good')
    .requiredOption('--id <id>', 'endpoint')
    .action(async ({ id }: { id: string }, command: Command) => {
      await withServices(async ({ webhookEndpoints }) =>
        webhookEndpoints.delete(await webhookEndpoints.operatorOf(id), id),
      );
      print(command, { id, deleted: true });
    });

  webhook
    .command('resend')
    .description(
      'sends one delivery, those not delivered (at most 1,000), or every event since an instant, again',
    )
    .option('--delivery <id>', 'a single delivery')
    .option('--id <id>', 'endpoint, with --undelivered or --since')
    .option('--undelivered', 'what was tried without success')
    .option('--since <instant>', 'ISO 8601', instant)
    .option('--until <instant>', 'ISO 8601, with --since', instant)
    .action(async (options: ResendOptions, command: Command) => {
      const resent = await withServices((services) => resend(services, options));
      if (!resent) command.error('give --delivery, or --id and --undelivered or --since');
      print(command, resent);
    });
}
