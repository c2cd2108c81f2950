import crypto from 'node:crypto';
import { syncBuiltinESMExports } from 'node:module';

const { scrypt } = crypto;
const cheapScrypt = (password, salt, length, options, done) =>
  scrypt(password, salt, length, { ...options, N: 16 }, done);

/**
 * Hundreds of people sign in, and the cost that keeps their passwords safe would be a fifth of the whole run. Tests in
 * `test/processes` pay it: services that are processes of their own know the same people.
 */
export function setPasswordCost(testPath) {
  crypto.scrypt = testPath.includes('/test/processes/') ? scrypt : cheapScrypt;
  syncBuiltinESMExports();
}
