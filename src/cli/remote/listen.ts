import { createHash } from 'node:crypto';
import { type Command, Option } from 'commander';
import { signatureHeaders, webhookSecretPrefix } from '../../webhook-client/sign.ts';
import { isJson, wholeNumber, write } from '../base/print.ts';
import { eventNames } from '../operating/webhooks.ts';
import { type FeedEvent, followEvents, lastSequence } from './event-feed.ts';
import { connectTo, keyOption, type RemoteOptions, urlOption, webAddress } from './service-client.ts';

interface ListenOptions extends RemoteOptions {
  forwardTo: string;
  events?: string[];
  since?: number;
}

const timeoutMs = 15_000;

/** The same for every run with a key, so that the receiver has to be given it only once. */
const secretFor = (key: string): string =>
  webhookSecretPrefix + createHash('sha256').update(`pix listen ${key}`).digest('base64');

/** Sends an event as the service sends webhooks. Returns the status of the response, or why there was none. */
async function forward(event: FeedEvent, target: URL, secret: string): Promise<string> {
  const body = JSON.stringify(event);
  const signed = signatureHeaders({ id: event.id, timestamp: new Date(), body, secrets: [secret] });
  try {
    const { status } = await fetch(target, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signed },
      body,
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return String(status);
  } catch (error) {
    const { cause, message } = error as Error;
    return cause instanceof Error ? cause.message : message;
  }
}

/** On a terminal, `r` sends the last event again. */
function onKeys(resend: () => void, stop: () => void): () => void {
  const { stdin } = process;
  if (!stdin.isTTY) return () => undefined;
  const onData = (pressed: Buffer): void => {
    if (pressed.toString() === 'r') resend();
    // In raw mode, Ctrl-C and Ctrl-D are characters instead of signals.
    if (['q', '\u0003', '\u0004'].includes(pressed.toString())) stop();
  };
  stdin.setRawMode(true).resume().on('data', onData);
  return () => void stdin.setRawMode(false).pause().off('data', onData);
}

async function listen(options: ListenOptions, command: Command): Promise<void> {
  const client = connectTo(options);
  const target = webAddress(options.forwardTo, '--forward-to');
  const secret = secretFor(options.key);
  const after = options.since ?? (await lastSequence(client));
  const say = (line: object, text: string) =>
    write(command, isJson(command) ? `${JSON.stringify(line)}\n` : `${text}\n`);
  const stopping = new AbortController();
  const stop = (): void => stopping.abort();
  let last: FeedEvent | undefined;

  async function deliver(event: FeedEvent): Promise<void> {
    const outcome = await forward(event, target, secret);
    const { sequence, type, data } = event;
    say({ sequence, type, payment: data.id, outcome }, `${sequence}  ${type}  ${data.id}  →  ${outcome}`);
  }

  const releaseKeys = onKeys(() => void (last && deliver(last)), stop);
  process.once('SIGINT', stop).once('SIGTERM', stop);
  say(
    { secret, after },
    `Signing secret: ${secret}\nForwarding events after ${after} to ${target.href}${process.stdin.isTTY ? ' (r: the last one again, q: quit)' : ''}`,
  );
  try {
    const onFailure = (error: Error) => say({ problem: error.message }, `trying again: ${error.message}`);
    for await (const event of followEvents(client, after, stopping.signal, onFailure)) {
      if (options.events && !options.events.includes(event.type)) continue;
      last = event;
      await deliver(event);
    }
  } finally {
    releaseKeys();
    process.off('SIGINT', stop).off('SIGTERM', stop);
  }
}

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('forwards the events of a test key to your computer as signed webhooks')
    .addOption(urlOption())
    .addOption(keyOption())
    .addOption(new Option('--forward-to <url>', 'your receiver').default('http://localhost:4000'))
    .option('--events <a,b>', 'default: all', eventNames)
    .option('--since <sequence>', 'begins after this event; default: with the next one', wholeNumber)
    .action(listen);
}
