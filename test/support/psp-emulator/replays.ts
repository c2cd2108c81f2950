import type { Reply } from './psp.ts';

/** For PSPs with idempotency keys: the same name answers as it did the first time, unless that was a no. */
export function createReplays(): (name: string, act: () => Reply) => Reply {
  const replies = new Map<string, Reply>();
  return (name, act) => {
    const reply = replies.get(name) ?? act();
    if (reply.status < 400) replies.set(name, reply);
    return reply;
  };
}
