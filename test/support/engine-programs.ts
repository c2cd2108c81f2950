import { existsSync, readdirSync } from 'node:fs';

const versions = '/usr/lib/postgresql';
/** Where the programs of the newest PostgreSQL are. */
export const debianPostgres: string | undefined = existsSync(versions)
  ? readdirSync(versions)
      .sort((one, other) => Number(other) - Number(one))
      .map((version) => `${versions}/${version}/bin`)[0]
  : undefined;

/** Debian installs some where only root looks. */
export const engineEnv = {
  ...process.env,
  PATH: [process.env['PATH'], '/usr/sbin', debianPostgres].filter(Boolean).join(':'),
};
