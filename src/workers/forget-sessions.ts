import type { SessionService } from '../services/people/sessions.ts';
import type { Worker } from './loop.ts';

const batch = 1_000;

/** Deletes sessions, and what else sign-ins leave behind, whose time is over. */
export const forgetSessions = (sessions: SessionService): Worker => ({
  runOnce: () => sessions.forgetExpired(batch),
});
