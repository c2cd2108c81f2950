import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { cents } from '../../../src/core/base/money.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import type { PspEmulator } from './core.ts';
import { isDay } from './due.ts';
import { fault } from './faults.ts';
import { refundedInCents } from './ledger.ts';
import { answer } from './misbehave.ts';
import { chargeEvents } from './psp.ts';
import { quota } from './quota.ts';

const day = z.string().refine(isDay, 'a day is written YYYY-MM-DD');

const payOptions = z.strictObject({
  amountInCents: z
    .int()
    .positive()
    .transform((value) => cents(value))
    .optional(),
  day: day.optional(),
  anyway: z.boolean().optional(),
  notify: z.enum(['once', 'twice', 'never', 'held']).optional(),
});

type Run = (emulator: PspEmulator, input: unknown, id: string) => unknown;

/** `body` is an example that works. What `run` returns is printed as JSON. */
interface Command {
  about: string;
  body?: (emulator: PspEmulator) => object;
  run: Run;
}

const findCharge = ({ ledger }: PspEmulator, id: string) => {
  const charge = ledger.find(id);
  if (!charge) throw new Error(`the emulator has no charge ${id}`);
  return charge;
};

/** By method and path; `:id` is the `id` of a charge. */
const commands: Record<string, Command> = {
  'GET /': {
    about: 'this list',
    run: (emulator) =>
      Object.entries(commands).map(([command, { about, body }]) => ({
        command,
        about,
        body: body?.(emulator),
      })),
  },
  'GET /settings': {
    about: 'what `credential create --config` wants',
    run: ({ settings }) => settings,
  },
  'GET /charges': {
    about: 'every charge, with its id',
    run: ({ ledger }) =>
      ledger.charges.map((charge) => ({
        ...charge,
        status: ledger.statusOf(charge),
        refundedInCents: refundedInCents(charge),
      })),
  },
  'GET /requests': { about: 'what the service asked', run: ({ requests }) => requests },
  'GET /notifications': {
    about: 'what the service was notified of',
    run: ({ notifier: { sent, failures } }) => ({ sent, failures }),
  },
  'POST /faults': {
    about: `how the next requests go wrong: ${fault.shape.kind.options.join(', ')}`,
    body: () => ({ kind: 'error', operation: 'create', isDone: true, times: 1 }),
    run: ({ faults }, input) => {
      faults.add(fault.parse(input));
    },
  },
  'DELETE /faults': {
    about: 'forgets the faults that are left',
    run: ({ faults }) => {
      faults.clear();
    },
  },
  'PUT /quota': {
    about: 'refuses requests beyond it with 429',
    body: () => ({ requests: 100, windowSeconds: 60, says: 'retry_after' }),
    run: (emulator, input) => {
      emulator.quota.set(quota.parse(input));
    },
  },
  'DELETE /quota': {
    about: 'has no quota any more',
    run: (emulator) => {
      emulator.quota.clear();
    },
  },
  'POST /charges/:id/pay': {
    about:
      'pays a charge; amountInCents, day (YYYY-MM-DD), anyway (after its validity too) and notify (once, twice, never, held) can be left out',
    body: () => ({ amountInCents: 500, notify: 'once' }),
    run: (emulator, input, id) => emulator.pay(id, payOptions.parse(input)),
  },
  'POST /pix': {
    about: 'receives a Pix without a charge; amountInCents and notify can be left out',
    body: () => ({ amountInCents: 777, notify: 'once' }),
    run: (emulator, input) =>
      emulator.receive(payOptions.pick({ amountInCents: true, notify: true }).parse(input)),
  },
  'POST /charges/:id/owed': {
    about: 'what is owed on a day of a charge with a due date',
    body: ({ ledger }) => ({ day: brasiliaDay(ledger.now()) }),
    run: (emulator, input, id) => ({
      amountInCents: emulator.owedOn(id, z.strictObject({ day }).parse(input).day),
    }),
  },
  'POST /charges/:id/tell': {
    about: `notifies of an event: ${chargeEvents.join(', ')}, as far as this PSP does`,
    body: () => ({ event: 'created' }),
    run: (emulator, input, id) =>
      emulator.tell(id, z.strictObject({ event: z.enum(chargeEvents) }).parse(input).event),
  },
  'POST /charges/:id/expire': {
    about: 'ends a charge that nobody paid',
    run: (emulator, _, id) => {
      emulator.expire(id);
    },
  },
  'POST /charges/:id/notify': {
    about: 'notifies of a paid charge again, as when a switch has changed what it looks like',
    run: async (emulator, _, id) => {
      const charge = findCharge(emulator, id);
      const [pix] = charge.pix;
      if (!pix) throw new Error(`charge ${id} is not paid`);
      await emulator.notifier.send(emulator.psp.notificationOf(charge, pix));
    },
  },
  'POST /charges/:id/forge': {
    about: 'sends a notification that says paid and is forged',
    run: async (emulator, _, id) => {
      const { ledger, notifier, psp } = emulator;
      const charge = findCharge(emulator, id);
      const pix = {
        endToEndId: `E${'0'.repeat(31)}`,
        amountInCents: charge.amountInCents,
        paidAt: ledger.now(),
      };
      await notifier.send(psp.forge(psp.notificationOf(charge, pix)));
    },
  },
  'POST /notifications/release': {
    about: 'sends what was held; the other order is as_sent',
    body: () => ({ order: 'reversed' }),
    run: ({ notifier }, input) =>
      notifier.release(z.strictObject({ order: z.enum(['as_sent', 'reversed']) }).parse(input).order),
  },
  'GET /switches': {
    about: 'what real banks do beside their documentation',
    run: ({ switches }) =>
      Object.entries(switches.about).map(([name, about]) => ({ name, isOn: switches.isOn(name), about })),
  },
  'PUT /switches': {
    about: 'turns them on and off',
    body: ({ switches }) =>
      Object.fromEntries(
        Object.keys(switches.about)
          .slice(0, 1)
          .map((name) => [name, true]),
      ),
    run: ({ switches }, input) => {
      for (const [name, isOn] of Object.entries(z.record(z.string(), z.boolean()).parse(input))) {
        switches.turn(name, isOn);
      }
    },
  },
  'PUT /notification-address': {
    about: 'where notifications go: the URL that the credential shows',
    body: () => ({ url: 'http://localhost:3000/psp/woovi/TOKEN' }),
    run: ({ notifier }, input) => {
      notifier.address = z.strictObject({ url: z.url() }).parse(input).url;
    },
  },
  'PUT /connections': {
    about: 'refuses connections, or accepts them again',
    body: () => ({ refused: true }),
    run: (emulator, input) =>
      z.strictObject({ refused: z.boolean() }).parse(input).refused
        ? emulator.refuseConnections()
        : emulator.acceptConnections(),
  },
};

const printable = (value: unknown): unknown =>
  JSON.parse(
    JSON.stringify(value ?? {}, (_, member: unknown) =>
      typeof member === 'bigint' ? Number(member) : member,
    ),
  );

/** The emulator's controls over HTTP, for a person with curl. Answers their address. */
export async function startAdmin(emulator: PspEmulator, port = 0): Promise<string> {
  async function run({ method = '', url = '/' }: IncomingMessage, text: string): Promise<unknown> {
    const [, id] = /^\/charges\/([^/]+)\//.exec(url) ?? [];
    const name = `${method} ${id ? url.replace(id, ':id') : url}`;
    const command = Object.hasOwn(commands, name) ? commands[name] : undefined;
    if (!command) throw new Error(`no such command; GET / lists them`);
    return command.run(emulator, text ? (JSON.parse(text) as unknown) : {}, id ?? '');
  }

  const server = createServer((request, response) => {
    void request
      .toArray()
      .then((chunks) => run(request, Buffer.concat(chunks).toString()))
      .then((body) => {
        answer(response, { status: 200, body: printable(body) as object });
      })
      .catch((error: unknown) => {
        answer(response, {
          status: 400,
          body: { error: error instanceof z.ZodError ? z.prettifyError(error) : String(error) },
        });
      });
  });
  // It ends with the emulator, whoever has asked.
  server.maxRequestsPerSocket = 1;
  server.listen(port, '127.0.0.1').unref();
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
