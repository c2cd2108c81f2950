import type { IncomingHttpHeaders } from 'node:http';
import type { Cents } from '../../../src/core/base/money.ts';
import type { AutomaticPix } from './automatic.ts';
import type { Operation } from './faults.ts';
import type { EmulatedCharge, EmulatedPayer, EmulatedPix, Ledger } from './ledger.ts';
import type { Switches } from './switches.ts';

/** A request as a route sees it. */
export interface Exchange {
  operation: Operation;
  method: string;
  path: string;
  /** What the groups of the route's path caught, decoded. */
  parameters: readonly string[];
  query: URLSearchParams;
  headers: IncomingHttpHeaders;
  text: string;
  /** The body's members; none when it is no JSON object. */
  json: Readonly<Record<string, unknown>>;
  /** A body with files. */
  form?: FormData;
}

/** A body that is a string is sent as it is, anything else as JSON. */
export interface Reply {
  status: number;
  body?: unknown;
  headers?: Readonly<Record<string, string>>;
}

export interface Route {
  /** A function where one request means several things. */
  operation: Operation | ((parameters: readonly string[], json: Exchange['json']) => Operation);
  method: string;
  /** Anchored by the emulator. */
  path: RegExp;
  reply(exchange: Exchange): Reply | Promise<Reply>;
}

export interface Notification {
  /** Appended to the path of the notification address. */
  path: string;
  query: Readonly<Record<string, string>>;
  /** Lower-case names. */
  headers: Readonly<Record<string, string>>;
  body: string;
  /** Whether the PSP's client certificate goes with it. */
  hasCertificate: boolean;
}

interface ServerTls {
  certificate: string;
  privateKey: string;
  /** Whose client certificates are demanded; none are when it is left out. */
  clientAuthority?: string | string[];
}

/** What becomes of a charge besides that it is paid. */
export const chargeEvents = ['created', 'updated', 'overdue', 'expired', 'deleted'] as const;

export type ChargeEvent = (typeof chargeEvents)[number];

/** One PSP's wire format over the shared ledger. */
export interface EmulatedPsp {
  readonly name: string;
  readonly tls?: ServerTls;
  readonly routes: readonly Route[];
  /** Undefined when the request may pass; asked before every route. */
  refuse?(exchange: Exchange): Reply | undefined;
  /** What the faults `reject…` answer. */
  readonly rejections: Readonly<Record<'request' | 'payer' | 'credential' | 'route', Reply>>;
  /** The same where it depends on the request. */
  rejectionsOf?(exchange: Exchange): EmulatedPsp['rejections'];
  /** What the PSP sends when a Pix was received. */
  notificationOf(charge: EmulatedCharge, pix: EmulatedPix): Notification;
  /** What it sends of other events; undefined for those that it does not tell of. */
  notificationOfEvent?(charge: EmulatedCharge, event: ChargeEvent): Notification | undefined;
  /** What it sends besides, unless it was scripted to leave that. */
  olderNotificationsOf?(charge: EmulatedCharge): Notification[];
  /** Signs a notification that a test has written, where this PSP signs. */
  sign?(notification: Notification): Notification;
  /** The same from somebody else. */
  forge(notification: Notification): Notification;
  /** The settings of a credential for it, `baseUrl` included. */
  settings(origin: string): Readonly<Record<string, unknown>>;
  /** What its API has no lookup for. */
  readonly cannotFind?: readonly ('unpaid charges by our id' | 'single refunds' | 'refunds under way')[];
  /** What must turn up in no message. */
  readonly secrets: readonly string[];
  /** Its deviations from its own documentation. */
  readonly switches?: Switches;
  /** Where it has Pix Automático. */
  readonly automatic?: AutomaticPix;
  /** The certificate that goes with its notifications. */
  readonly client?: { certificate: string; privateKey: string };
}

export type DefinePsp = (ledger: Ledger) => EmulatedPsp;

export interface PayOptions {
  /** What is owed on the day when it is left out. */
  amountInCents?: Cents;
  /** `YYYY-MM-DD` in Brasília; today when it is left out. */
  day?: string;
  /** Also after the last day on which a payer's bank would take it. */
  anyway?: boolean;
  /** Nobody knows who it is when it is left out. */
  payer?: EmulatedPayer;
  /** `held`: until `releaseNotifications`. */
  notify?: 'once' | 'twice' | 'never' | 'held';
}
