export interface MailMessage {
  to: string;
  subject: string;
  /** Plain text. */
  text: string;
}

/** A mail server. */
export interface Mailer {
  /** Never rejects, takes 30 seconds at most. Undefined once it was accepted, else why not, without addresses. */
  send(message: MailMessage): Promise<string | undefined>;
}
