import type { Worker } from './loop.ts';

/** Few at a time: a mail server that hangs holds up as many. */
const batch = 5;

export const sendMail = (mail: { sendDue(limit: number): Promise<number> }): Worker => ({
  runOnce: () => mail.sendDue(batch),
});
