import { readFileSync } from 'node:fs';

/** May be in files, which is how Docker and Kubernetes hand over secrets: `DATABASE_URL_FILE=/run/secrets/…`. */
const inFiles = [
  'DATABASE_URL',
  'DIRECT_DATABASE_URL',
  'DATABASE_REPLICA_URL',
  'REDIS_URL',
  'ENCRYPTION_KEYS',
  'OTEL_EXPORTER_OTLP_HEADERS',
  'SMTP_URL',
  'OIDC_CLIENT_SECRET',
] as const;

interface Read {
  settings: Record<string, string | undefined>;
  mistakes: string[];
}

/** Replaces each `…_FILE` by the setting that the file contains, without the white space around it. */
export function readSecretFiles(env: Readonly<Record<string, string | undefined>>): Read {
  const settings = { ...env };
  const mistakes: string[] = [];
  for (const name of inFiles) {
    const file = env[`${name}_FILE`];
    if (file === undefined) continue;
    delete settings[`${name}_FILE`];
    if (env[name] !== undefined) mistakes.push(`${name}_FILE: must not be set together with ${name}`);
    try {
      const text = readFileSync(file, 'utf8').trim();
      if (text) settings[name] = text;
      else mistakes.push(`${name}_FILE: ${file} is empty`);
    } catch (error) {
      mistakes.push(
        `${name}_FILE: ${file} cannot be read (${(error as NodeJS.ErrnoException).code ?? 'error'})`,
      );
    }
  }
  return { settings, mistakes };
}
