import { createHmac } from 'node:crypto';
import { isSameSecret } from '../../encryption/rules/same-secret.ts';

const stepMs = 30_000;
const digits = 6;

/** RFC 4226, section 5.3. */
function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8);
  counter.writeBigUInt64BE(BigInt(step));
  const mac = createHmac('sha1', secret).update(counter).digest();
  const offset = (mac.at(-1) ?? 0) & 15;
  return String((mac.readUInt32BE(offset) & 0x7fffffff) % 10 ** digits).padStart(digits, '0');
}

/**
 * The latest time step (RFC 6238), from one before to one after the current one, that the code matches;
 * undefined if none.
 */
export function totpStep(secret: string, code: string, now: Date): number | undefined {
  const current = Math.floor(now.getTime() / stepMs);
  return [current + 1, current, current - 1].find((step) => isSameSecret(code, codeOf(secret, step)));
}
