import { randomBytes } from 'node:crypto';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Config } from '../config.ts';
import { type KeyRing, parseKeyRing } from '../core/encryption/rules/envelope.ts';

/** Returns ENCRYPTION_KEYS, or else the key in DATA_DIR, which the first start creates. */
export async function loadKeyRing({ encryptionKeys, dataDirectory }: Config): Promise<KeyRing> {
  if (encryptionKeys) return parseKeyRing(encryptionKeys.reveal());
  const file = join(dataDirectory, 'encryption-keys');
  await mkdir(dataDirectory, { recursive: true });
  // Exclusive, because two processes that start at once must both use the key that is kept.
  await writeFile(file, `local:${randomBytes(32).toString('base64')}\n`, { mode: 0o600, flag: 'wx' }).catch(
    (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EEXIST') throw error;
    },
  );
  return parseKeyRing((await readFile(file, 'utf8')).trim());
}
