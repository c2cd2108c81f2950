import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as turn, setTimeout as delay } from 'node:timers/promises';
import { anyAddress } from './send.ts';
import { type Conversation, createWires } from './wires.ts';

/** A node that waits for the rest of a message does so for longer. */
const patienceMs = 2_000;
/** From its first answer on, for what it does with the rest. */
const restMs = 50;

/** The status that the node said first; `nothing` where it closed or waited for more. */
async function converse(port: number, { packets }: Conversation): Promise<string> {
  const socket = connect({ host: '127.0.0.1', port, localAddress: anyAddress() });
  let answer = '';
  socket.on('data', (chunk: Buffer) => (answer += chunk.subarray(0, 64).toString('latin1')));
  socket.on('error', () => undefined);
  const [answered, closed] = ['data', 'close'].map((event) => once(socket, event).catch(() => undefined));
  for (const packet of packets) {
    socket.write(packet);
    await turn();
  }
  await Promise.race([answered, closed, delay(patienceMs, undefined, { ref: false })]);
  await Promise.race([closed, delay(restMs, undefined, { ref: false })]);
  socket.destroy();
  return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1] ?? 'nothing';
}

interface Campaign {
  ports: readonly number[];
  messages: number;
  /** Conversations at a time. */
  atOnce: number;
  seed: number;
}

/** Sends so many messages to the ports, in turn; returns what each conversation met. */
export async function attackPorts({ ports, messages, atOnce, seed }: Campaign) {
  const wires = createWires(seed);
  const outcomes: string[] = [];
  let [sent, conversations] = [0, 0];
  async function attack(): Promise<void> {
    while (sent < messages) {
      const conversation = wires.conversation();
      const port = ports[conversations % ports.length] ?? 0;
      sent += conversation.messages;
      conversations += 1;
      outcomes.push(await converse(port, conversation));
    }
  }
  await Promise.all(Array.from({ length: atOnce }, attack));
  return { sent, outcomes };
}

/** Asks both ports for their health all the time; returns what it met once `until` is over. */
export async function standBy(ports: readonly number[], until: Promise<unknown>) {
  let isOver = false;
  const over = until.finally(() => (isOver = true));
  const timesMs: number[] = [];
  const failures: string[] = [];
  const stand = async (port: number): Promise<void> => {
    while (!isOver) {
      const askedAt = performance.now();
      // On a connection of its own, as one that is kept could hide that no other is accepted.
      const answer = await fetch(`http://127.0.0.1:${port}/healthz`, {
        headers: { Connection: 'close' },
        signal: AbortSignal.timeout(10_000),
      }).then(
        ({ status }) => String(status),
        (error: unknown) => String(error),
      );
      timesMs.push(performance.now() - askedAt);
      if (answer !== '200') failures.push(answer);
      await delay(20);
    }
  };
  await Promise.all([over, ...ports.map(stand)]);
  return { asked: timesMs.length, failures, maximumMs: Math.round(Math.max(...timesMs)) };
}
