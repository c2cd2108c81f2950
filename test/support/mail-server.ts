import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { SMTPServer } from 'smtp-server';

interface ReceivedMail {
  to: string[];
  /** The message as it came, headers first. */
  raw: string;
}

/** A real mail server on loopback that does as the test says. */
export interface MailServer {
  url: string;
  readonly mails: ReceivedMail[];
  /** How often a client has begun a conversation. */
  connectionCount(): number;
  /** What it does with a message: it may take, refuse, or never answer it. */
  behaviour: 'accept' | 'refuse' | 'hang';
  stop(): Promise<void>;
}

/** Quoted-printable breaks long lines, and mail is not to be read by the machine otherwise. */
export const readable = (raw: string): string =>
  raw
    .replace(/=\r?\n/g, '')
    .replace(/(?:=[0-9A-F]{2})+/g, (bytes) => Buffer.from(bytes.replaceAll('=', ''), 'hex').toString('utf8'));

/** The link of the last e-mail to an address. */
export function mailedLink({ mails }: Pick<MailServer, 'mails'>, email: string): string {
  const mail = mails.findLast(({ to }) => to.includes(email));
  const [link] = /https?:\S+#[\w-]{43}/.exec(readable(mail?.raw ?? '')) ?? [];
  if (!link) throw new Error(`no link was sent to ${email}`);
  return link;
}

export async function startMailServer(): Promise<MailServer> {
  const mails: ReceivedMail[] = [];
  let connections = 0;
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    logger: false,
    closeTimeout: 100,
    onConnect(_, callback) {
      connections += 1;
      callback();
    },
    onData(stream, { envelope }, callback) {
      void text(stream).then((raw) => {
        if (started.behaviour === 'hang') return;
        if (started.behaviour === 'refuse') {
          callback(Object.assign(new Error('try again later'), { responseCode: 451 }));
          return;
        }
        mails.push({ to: envelope.rcptTo.map(({ address }) => address), raw });
        callback();
      }, callback);
    },
  });
  // A client that is cut off is no failure of the server.
  server.on('error', () => undefined);
  server.listen(0, '127.0.0.1');
  await once(server.server, 'listening');
  const { port } = server.server.address() as AddressInfo;
  const started: MailServer = {
    url: `smtp://127.0.0.1:${port}`,
    mails,
    connectionCount: () => connections,
    behaviour: 'accept',
    stop: () =>
      new Promise((resolve) => {
        server.close(() => {
          resolve();
        });
      }),
  };
  return started;
}
