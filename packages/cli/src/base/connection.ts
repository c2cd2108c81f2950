import { Pix } from '@pix-service/sdk';
import { type Command, Option } from 'commander';
import { Mistake } from './mistake.ts';

export interface Connection {
  url: string;
  key: string;
}

export interface KeyedConnection extends Connection {
  live?: true;
}

export const urlOption = (): Option =>
  new Option('--url <url>', 'where the service is').env('PIX_URL').default('http://localhost:3000');

export const testKeyOption = (): Option =>
  new Option('--key <key>', 'a test key, pk_test_…').env('PIX_API_KEY').makeOptionMandatory();

export const anyKeyOption = (): Option =>
  new Option('--key <key>', 'an API key').env('PIX_API_KEY').makeOptionMandatory();

const isTestKey = (key: string): boolean => key.startsWith('pk_test_');

export const isLiveKey = (key: string): boolean => key.startsWith('pk_live_');

/** Adds a command that works with any key, a live one only with --live. */
export const keyedCommand = (parent: Command, name: string, description: string): Command =>
  parent
    .command(name)
    .description(description)
    .addOption(urlOption())
    .addOption(anyKeyOption())
    .option('--live', 'allows a live key');

/** Takes only test keys, because it serves development: nothing that a live key can do happens by mistake. */
export function connectTo(options: Connection): Pix {
  if (isLiveKey(options.key)) throw new Mistake('--key must be a test key: this is for development');
  if (!isTestKey(options.key)) throw new Mistake('--key must begin with pk_test_');
  return connect(options);
}

/** Takes a live key only where --live allows it. */
export function connectAsAllowed({ live, ...options }: KeyedConnection): Pix {
  const isLive = isLiveKey(options.key);
  if (!isLive && !isTestKey(options.key)) throw new Mistake('--key must be an API key, pk_test_…');
  if (isLive && !live) throw new Mistake('--key is a live key, with which money moves: add --live to use it');
  return connect(options);
}

const connect = ({ url, key }: Connection): Pix =>
  new Pix({ apiKey: key.trim(), baseUrl: webAddress(url, '--url').href });

/** The response to what the client has no method for. */
export async function request({ url, key }: Connection, path: string, init: RequestInit): Promise<Response> {
  const { href } = webAddress(url, '--url');
  const target = new URL(path, href.replace(/\/*$/, '/'));
  const headers = { 'X-API-Key': key.trim(), 'Content-Type': 'application/json', ...init.headers };
  const response = await fetch(target, { ...init, headers, redirect: 'manual' });
  if (response.ok) return response;
  const { message } = (await response.json().catch(() => ({}))) as { message?: string };
  throw new Mistake(message ?? `${target.origin} responded with ${response.status}`);
}

/** @throws an error that names the option. */
export function webAddress(text: string, option: string): URL {
  const url = URL.canParse(text) ? new URL(text) : undefined;
  if (!url || !/^https?:$/.test(url.protocol))
    throw new Mistake(`${option} must be a URL with http or https`);
  if (url.username || url.password) throw new Mistake(`${option} must not contain a user name or password`);
  return url;
}
