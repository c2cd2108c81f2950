import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { cents } from '../../../src/domain/money.ts';
import type { PspEmulator } from './core.ts';
import { fault } from './faults.ts';
import { refundedInCents } from './ledger.ts';
import { answer } from './misbehave.ts';
import { quota } from './quota.ts';

const payOptions = z.strictObject({
  amountInCents: z
    .int()
    .positive()
    .transform((value) => cents(value))
    .optional(),
  notify: z.enum(['once', 'twice', 'never', 'held']).optional(),
});

/** What can be asked for: the first word is the method. The answer is printed as JSON. */
type Command = (emulator: PspEmulator, input: unknown, id: string) => unknown;

const commands: Record<string, Command> = {
  'GET /': () => Object.keys(commands),
  'GET /settings': ({ settings }) => settings,
  'GET /charges': ({ ledger }) =>
    ledger.charges.map((charge) => ({
      ...charge,
      status: ledger.statusOf(charge),
      refundedInCents: refundedInCents(charge),
    })),
  'GET /requests': ({ requests }) => requests,
  'GET /notifications': ({ notifier: { sent, failures } }) => ({ sent, failures }),
  'POST /faults': ({ faults }, input) => {
    faults.add(fault.parse(input));
  },
  'DELETE /faults': ({ faults }) => {
    faults.clear();
  },
  'PUT /quota': (emulator, input) => {
    emulator.quota.set(quota.parse(input));
  },
  'DELETE /quota': (emulator) => {
    emulator.quota.clear();
  },
  'POST /charges/:id/pay': async (emulator, input, id) => emulator.pay(id, payOptions.parse(input)),
  'POST /charges/:id/expire': (emulator, _, id) => {
    emulator.expire(id);
  },
  // As when a switch has changed what a paid charge looks like.
  'POST /charges/:id/notify': async ({ ledger, notifier, psp }, _, id) => {
    const charge = ledger.find(id);
    const [pix] = charge?.pix ?? [];
    if (!charge || !pix) throw new Error(`the emulator has no paid charge ${id}`);
    await notifier.send(psp.notificationOf(charge, pix));
  },
  'POST /charges/:id/forge': async ({ ledger, notifier, psp }, _, id) => {
    const charge = ledger.find(id);
    if (!charge) throw new Error(`the emulator has no charge ${id}`);
    const pix = {
      endToEndId: `E${'0'.repeat(31)}`,
      amountInCents: charge.amountInCents,
      paidAt: ledger.now(),
    };
    await notifier.send(psp.forge(psp.notificationOf(charge, pix)));
  },
  'POST /notifications/release': ({ notifier }, input) =>
    notifier.release(z.strictObject({ order: z.enum(['as_sent', 'reversed']) }).parse(input).order),
  'GET /switches': ({ switches }) =>
    Object.entries(switches.about).map(([name, about]) => ({ name, isOn: switches.isOn(name), about })),
  'PUT /switches': ({ switches }, input) => {
    for (const [name, isOn] of Object.entries(z.record(z.string(), z.boolean()).parse(input))) {
      switches.turn(name, isOn);
    }
  },
  'PUT /notification-address': ({ notifier }, input) => {
    notifier.address = z.strictObject({ url: z.url() }).parse(input).url;
  },
  'PUT /connections': (emulator, input) =>
    z.strictObject({ refused: z.boolean() }).parse(input).refused
      ? emulator.refuseConnections()
      : emulator.acceptConnections(),
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
    return command(emulator, text ? (JSON.parse(text) as unknown) : {}, id ?? '');
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
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}
