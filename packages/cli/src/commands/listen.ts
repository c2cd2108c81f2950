import { type Command, Option } from 'commander';
import type { Event } from '@pix-service/sdk';
import { type Connection, connectTo, testKeyOption, urlOption, webAddress } from '../base/connection.ts';
import { sayLine } from '../base/print.ts';
import { untilStopped } from '../base/until-stopped.ts';
import { names, wholeNumber } from '../base/values.ts';
import { followEvents, lastSequence } from '../feeds/event-feed.ts';
import { secretFor, signed } from '../feeds/sign.ts';

interface ListenOptions extends Connection {
  forwardTo: string;
  events?: string[];
  since?: number;
}

const timeoutMs = 15_000;

/** Sends an event as the service sends webhooks. Returns the status of the response, or why there was none. */
async function forward(event: Event, target: URL, secret: string): Promise<string> {
  const body = JSON.stringify(event);
  try {
    const { status } = await fetch(target, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...signed(event.id, body, secret) },
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
  const { url, key } = options;
  connectTo(options);
  const target = webAddress(options.forwardTo, '--forward-to');
  const secret = secretFor(key);
  const after = options.since ?? (await lastSequence({ url, key }));
  const say = (line: object, text: string) => sayLine(command, line, text);
  let last: Event | undefined;

  async function deliver(event: Event): Promise<void> {
    const outcome = await forward(event, target, secret);
    const { sequence, type, data } = event;
    say({ sequence, type, payment: data.id, outcome }, `${sequence}  ${type}  ${data.id}  →  ${outcome}`);
  }

  await untilStopped(async (signal, stop) => {
    const releaseKeys = onKeys(() => void (last && deliver(last)), stop);
    say(
      { secret, after },
      `Signing secret: ${secret}\nForwarding events after ${after} to ${target.href}${process.stdin.isTTY ? ' (r: the last one again, q: quit)' : ''}`,
    );
    try {
      const onFailure = (error: Error) => say({ problem: error.message }, `trying again: ${error.message}`);
      for await (const event of followEvents({ url, key }, after, signal, onFailure)) {
        if (options.events && !options.events.includes(event.type)) continue;
        last = event;
        await deliver(event);
      }
    } finally {
      releaseKeys();
    }
  });
}

export function addListenCommand(program: Command): void {
  program
    .command('listen')
    .description('forwards the events of a test key to your computer as signed webhooks')
    .addOption(urlOption())
    .addOption(testKeyOption())
    .addOption(new Option('--forward-to <url>', 'your receiver').default('http://localhost:4000'))
    .option('--events <a,b>', 'default: all', names)
    .option('--since <sequence>', 'begins after this event; default: with the next one', wholeNumber)
    .action(listen);
}
