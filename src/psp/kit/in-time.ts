import { setTimeout as delay } from 'node:timers/promises';
import { PspError } from '../../core/providers/rules/psp-error.ts';

/** Leaves a lookup time to say what it knows: given up as a whole, it would say nothing. */
const patienceMs = 1_500;

/** Bounds how long a lookup waits for what decides nothing, one request after another. */
export function startPatience(): <Seen>(look: Promise<Seen>) => Promise<Seen> {
  const end = delay(patienceMs, undefined, { ref: false });
  return (look) =>
    Promise.race([
      look,
      end.then(() => {
        throw new PspError('unknown', 'the details of a charge did not come in time');
      }),
    ]);
}
