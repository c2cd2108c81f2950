import type { SessionService } from '../services/people/sessions.ts';
import type { Worker } from './loop.ts';

const batch = 1_000;

/** Deletes expired sessions and other leftovers of sign-ins. */
export const forgetSessions = (sessions: SessionService): Worker => ({
  runOnce: () => sessions.forgetExpired(batch),
});
