export interface MailMessage {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

export interface Mailer {
  /**
   * Never rejects, and takes at most 30 seconds. Undefined once the message is accepted, otherwise why not, without addresses.
   */
  send(message: MailMessage): Promise<string | undefined>;
}
