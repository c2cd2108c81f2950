import type { KeyRing } from '../domain/envelope.ts';
import type { Database } from '../persistence/database.ts';
import { pageOfTwoFactors, replaceTwoFactor } from '../persistence/two-factors.ts';
import { signInSecrets } from './sign-in-secrets.ts';

/** What authenticator apps and backup codes are checked against. */
export interface SecondFactorService {
  /** Moves everything encrypted to the first key of the ring; answers for how many people. */
  rewrap(): Promise<{ rewrapped: number }>;
}

const pageSize = 100;

export function createSecondFactorService({
  db,
  keyRing,
}: {
  db: Database;
  keyRing: KeyRing;
}): SecondFactorService {
  const secrets = signInSecrets(keyRing);
  const key = {
    keys: new Map(secrets.map(({ version, value }) => [version, value])),
    currentVersion: secrets[0]?.version ?? 0,
  };
  return {
    async rewrap() {
      const { parseEnvelope, symmetricDecrypt, symmetricEncrypt } = await import('./sign-in-library.ts');
      const isCurrent = (data: string): boolean => parseEnvelope(data)?.version === key.currentVersion;
      const moved = async (data: string): Promise<string> =>
        isCurrent(data) ? data : symmetricEncrypt({ key, data: await symmetricDecrypt({ key, data }) });
      let rewrapped = 0;
      let rows = await pageOfTwoFactors(db, '00000000-0000-0000-0000-000000000000', pageSize);
      while (rows.length > 0) {
        for (const row of rows) {
          if (isCurrent(row.secret) && isCurrent(row.backupCodes)) continue;
          const to = { secret: await moved(row.secret), backupCodes: await moved(row.backupCodes) };
          await replaceTwoFactor(db, row, to);
          rewrapped += 1;
        }
        rows = await pageOfTwoFactors(db, rows.at(-1)?.id ?? '', pageSize);
      }
      return { rewrapped };
    },
  };
}
