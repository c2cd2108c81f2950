import type { Mailer } from '../core/people/rules/mailer.ts';

const timeoutMs = 10_000;
/** Bounds the whole conversation: a server may answer each command just in time. */
const patienceMs = 30_000;

interface MailSettings {
  /** `smtp://` or `smtps://`, with user and password where the server wants them. */
  url: string;
  from: string;
}

interface MailFailure {
  /** Nodemailer's, such as `EAUTH`. */
  code?: string;
  /** SMTP's, such as 550. */
  responseCode?: number;
}

/** The texts of servers name addresses. */
function codeOf(error: MailFailure): string {
  const { code = 'the mail server failed', responseCode } = error;
  return responseCode === undefined ? code : `${code} ${responseCode}`;
}

/** Sends through one connection at a time. */
export async function createMailer({ url, from }: MailSettings): Promise<Mailer & { close(): void }> {
  // Nodes without mail do without its code.
  const { createTransport } = await import('nodemailer');
  const transport = createTransport({
    url,
    pool: true,
    maxConnections: 1,
    connectionTimeout: timeoutMs,
    greetingTimeout: timeoutMs,
    socketTimeout: timeoutMs,
    dnsTimeout: timeoutMs,
    // Nothing that a message says makes it read a file or an address.
    disableFileAccess: true,
    disableUrlAccess: true,
  });

  return {
    async send({ to, subject, text }) {
      let timer: NodeJS.Timeout | undefined;
      const tooLate = new Promise<string>((resolve) => {
        timer = setTimeout(resolve, patienceMs, 'the mail server took too long');
      });
      const sent = transport
        .sendMail({ from, to, subject, text })
        .then(() => undefined)
        .catch(codeOf);
      try {
        return await Promise.race([sent, tooLate]);
      } finally {
        clearTimeout(timer);
      }
    },

    close: () => {
      transport.close();
    },
  };
}
