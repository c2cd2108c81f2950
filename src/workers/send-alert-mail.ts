import type { AlertMail } from '../services/health/alert-mail.ts';
import type { Worker } from './loop.ts';

/** Few at a time: a mail server that hangs holds up as many. */
const batch = 5;

export const sendAlertMail = (mail: AlertMail): Worker => ({ runOnce: () => mail.sendDue(batch) });
