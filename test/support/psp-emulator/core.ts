import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { isJsonObject } from '../../../src/core/base/json/json-object.ts';
import { type Cents, cents } from '../../../src/core/base/money.ts';
import { brasiliaDay } from '../../../src/core/base/time/brasilia.ts';
import { momentOn } from './due.ts';
import { createFaults, type Faults } from './faults.ts';
import { createLedger, type EmulatedCharge, type EmulatedPix, type Ledger } from './ledger.ts';
import { answer, misbehave } from './misbehave.ts';
import { createNotifier, type Notifier } from './notifier.ts';
import { createQuota, type Quota } from './quota.ts';
import type { ChargeEvent, DefinePsp, EmulatedPsp, Exchange, PayOptions, Reply, Route } from './psp.ts';
import { createSwitches, type Switches } from './switches.ts';

/** A PSP on loopback that does as it is told. */
export interface PspEmulator {
  readonly psp: EmulatedPsp;
  readonly origin: string;
  /** For a credential that uses it. */
  readonly settings: Readonly<Record<string, unknown>>;
  readonly ledger: Ledger;
  readonly faults: Faults;
  readonly quota: Quota;
  readonly notifier: Notifier;
  readonly switches: Switches;
  /** How many requests have been at work at the same time, at most. */
  atOnce(): number;
  /** Requests without a response so far. */
  inFlight(): number;
  /** Every request that was read, in order. */
  readonly requests: Exchange[];
  pay(transactionId: string, options?: PayOptions): Promise<EmulatedPix>;
  /** Receives a Pix without a charge, as when somebody pays the key directly. */
  receive(options?: Pick<PayOptions, 'amountInCents' | 'payer' | 'notify'>): Promise<EmulatedPix>;
  /** What is owed on a day, `YYYY-MM-DD`, by this PSP's own reckoning. */
  owedOn(transactionId: string, day: string): Cents;
  /** Sends the notification of an event, which the clock alone never does. Answers whether it was accepted. */
  tell(transactionId: string, event: ChargeEvent): Promise<boolean>;
  /** Delivers what there is to tell of recurrences and debits; `forged` comes from somebody else. */
  tellAll(how?: 'once' | 'twice' | 'reversed' | 'never' | 'forged'): Promise<void>;
  /** As if it had been made so much earlier that it expires now. */
  expire(transactionId: string): void;
  /** Closes the port, so that the system refuses every connection to it. */
  refuseConnections(): Promise<void>;
  acceptConnections(): Promise<void>;
  /** Those that are open, the ones kept for later requests included. */
  connections(): Socket[];
  stop(): Promise<void>;
}

/** Whether a charge whose creation was not answered stays unknown until somebody pays it. */
export const hidesUnpaid = ({ psp }: Pick<PspEmulator, 'psp'>): boolean =>
  psp.cannotFind?.includes('unpaid charges by our id') ?? false;

interface Options {
  /** A free one when left out. */
  port?: number;
  now?: () => Date;
}

export async function startEmulator(define: DefinePsp, options: Options = {}): Promise<PspEmulator> {
  const ledger = createLedger(options.now ?? (() => new Date()));
  const psp = define(ledger);
  const switches: Switches = psp.switches ?? createSwitches({});
  const faults = createFaults();
  const quota = createQuota(() => ledger.now());
  const notifier = createNotifier(psp);
  const requests: Exchange[] = [];
  const sockets = new Set<Socket>();
  const atWork = { now: 0, most: 0 };
  let { port = 0 } = options;
  let server = await listen();

  async function listen(): Promise<Server> {
    const { tls } = psp;
    const listening = tls
      ? createSecureServer({
          cert: tls.certificate,
          key: tls.privateKey,
          ...(tls.clientAuthority && {
            ca: tls.clientAuthority,
            requestCert: true,
            rejectUnauthorized: true,
          }),
        })
      : createServer();
    // Longer than a test: whoever wants a connection gone has to close it.
    listening.keepAliveTimeout = 600_000;
    listening.on('connection', (socket: Socket) => sockets.add(socket));
    listening.on('request', (request: IncomingMessage, response: ServerResponse) => {
      atWork.now += 1;
      atWork.most = Math.max(atWork.most, atWork.now);
      response.on('close', () => (atWork.now -= 1));
      void serve(request, response);
    });
    listening.listen(port, '127.0.0.1');
    await once(listening, 'listening');
    ({ port } = listening.address() as AddressInfo);
    return listening;
  }

  async function close(): Promise<void> {
    if (!server.listening) return;
    server.close();
    server.closeAllConnections();
    await once(server, 'close');
    // So that clients on the same event loop see that the connections that they kept are gone.
    await delay(10);
  }

  async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const bytes = Buffer.concat(await request.toArray().catch(() => []));
    const { route, exchange } = read(psp.routes, request, bytes.toString());
    const type = request.headers['content-type'] ?? '';
    if (type.startsWith('multipart/form-data'))
      exchange.form = await new Response(bytes, { headers: { 'content-type': type } }).formData();
    requests.push(exchange);
    const tooMany = quota.refuse();
    if (tooMany) {
      answer(response, tooMany);
      return;
    }
    const fault = faults.take(exchange.operation);
    const act = async (): Promise<Reply> => {
      const refused = psp.refuse?.(exchange);
      return refused ?? (route ? route.reply(exchange) : psp.rejections.route);
    };
    const rejections = psp.rejectionsOf?.(exchange) ?? psp.rejections;
    if (fault) await misbehave(fault, { act, response, rejections, payNewest, tellAll });
    else answer(response, await act());
  }

  /** A PSP whose notifications are lost or late, as long as nobody says otherwise. */
  function usualNotify(): PayOptions['notify'] {
    const isOn = (name: string) => Object.hasOwn(switches.about, name) && switches.isOn(name);
    if (isOn('lost')) return 'never';
    return isOn('late') ? 'held' : 'once';
  }

  async function pay(charge: EmulatedCharge, options: PayOptions = {}) {
    const { amountInCents, day, payer, anyway = false, notify = usualNotify() } = options;
    const paidAt = day === undefined ? ledger.now() : momentOn(day, ledger.now());
    if (charge.due && !anyway && paidAt > charge.expiresAt) {
      throw new Error(`${charge.transactionId} could be paid until ${brasiliaDay(charge.expiresAt)}`);
    }
    const pix = ledger.pay(charge, amountInCents, paidAt, payer);
    const notifications = [...(psp.olderNotificationsOf?.(charge) ?? []), psp.notificationOf(charge, pix)];
    for (const notification of notifications) {
      if (notify === 'held') notifier.hold(notification);
      if (notify === 'once' || notify === 'twice') await notifier.send(notification);
      if (notify === 'twice') await notifier.send(notification);
    }
    return pix;
  }

  function receive({ amountInCents = cents(777), ...options }: PayOptions = {}): Promise<EmulatedPix> {
    const name = randomBytes(14).toString('hex');
    const expiresAt = new Date(ledger.now().getTime() + 3_600_000);
    const charge = { transactionId: name, reference: name, amountInCents, expiresAt };
    return pay(ledger.add({ ...charge, details: { hasNoCharge: true } }), options);
  }

  async function tellAll(how: 'once' | 'twice' | 'reversed' | 'never' | 'forged' = 'once'): Promise<void> {
    const told = psp.automatic?.outbox.splice(0) ?? [];
    if (how === 'never') return;
    for (const each of how === 'reversed' ? told.toReversed() : told) {
      await notifier.send(how === 'forged' ? psp.forge(each) : each);
      if (how === 'twice') await notifier.send(each);
    }
  }

  async function payNewest(notify: 'once' | 'never'): Promise<void> {
    const charge = ledger.charges.at(-1);
    if (charge) await pay(charge, { notify });
  }

  const charged = (transactionId: string): EmulatedCharge => {
    const charge = ledger.find(transactionId);
    if (!charge) throw new Error(`the emulator has no charge ${transactionId}`);
    return charge;
  };

  async function tell(charge: EmulatedCharge, event: ChargeEvent): Promise<boolean> {
    const notification = psp.notificationOfEvent?.(charge, event);
    if (!notification) throw new Error(`${psp.name} does not tell that a charge is ${event}`);
    return notifier.send(notification);
  }

  const origin = `${psp.tls ? 'https' : 'http'}://127.0.0.1:${port}`;
  return {
    psp,
    origin,
    // Some switches change them.
    get settings() {
      return psp.settings(origin);
    },
    ledger,
    faults,
    quota,
    notifier,
    switches,
    atOnce: () => atWork.most,
    inFlight: () => atWork.now,
    requests,
    pay: (transactionId, payOptions) => pay(charged(transactionId), payOptions),
    receive,
    owedOn: (transactionId, day) => ledger.owedOn(charged(transactionId), day),
    tellAll,
    tell: (transactionId, event) => tell(charged(transactionId), event),
    expire: (transactionId) => {
      const charge = charged(transactionId);
      const lifeMs = charge.expiresAt.getTime() - charge.createdAt.getTime();
      charge.expiresAt = ledger.now();
      charge.createdAt = new Date(charge.expiresAt.getTime() - lifeMs);
    },
    refuseConnections: close,
    acceptConnections: async () => {
      if (!server.listening) server = await listen();
    },
    connections: () => [...sockets].filter(({ destroyed }) => !destroyed),
    stop: async () => {
      await close();
      await notifier.close();
    },
  };
}

function read(routes: readonly Route[], { method = '', url = '/', headers }: IncomingMessage, text: string) {
  const { pathname, searchParams } = new URL(url, 'http://emulator');
  const matchOf = (route: Route) =>
    route.method === method ? new RegExp(`^${route.path.source}$`).exec(pathname) : null;
  const route = routes.find((each) => matchOf(each));
  const parameters = (route && matchOf(route))?.slice(1).map((each) => decodeURIComponent(each)) ?? [];
  const { operation: meaning = 'other' } = route ?? {};
  const json = membersOf(text);
  const operation = typeof meaning === 'function' ? meaning(parameters, json) : meaning;
  const exchange: Exchange = {
    operation,
    method,
    path: pathname,
    parameters,
    query: searchParams,
    headers,
    text,
    json,
  };
  return { route, exchange };
}

function membersOf(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text);
    return isJsonObject(value) ? value : {};
  } catch {
    return {};
  }
}
