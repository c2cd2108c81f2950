import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from '../core/create-services.ts';
import { operatorFor } from '../core/base/caller.ts';

export interface Demo {
  /** A test key; undefined once its file was deleted. */
  key: string | undefined;
  /** E-mail address and password of an owner; undefined once their file was deleted. */
  signIn: readonly [email: string, password: string] | undefined;
}

async function keep(file: string, text: string): Promise<void> {
  await writeFile(file, text, { mode: 0o600 });
  await chmod(file, 0o600);
}

const readLines = async (file: string): Promise<string[]> =>
  (await readFile(file, 'utf8').catch(() => '')).trim().split('\n');

/** Creates, at the first start with an embedded database, an organization with a test key and an owner. */
export async function ensureDemo(services: Services, dataDirectory: string): Promise<Demo> {
  const keyFile = join(dataDirectory, 'demo-key');
  const signInFile = join(dataDirectory, 'demo-sign-in');
  if ((await services.organizations.list()).length === 0) {
    const caller = operatorFor((await services.organizations.create('Demo')).id, 'test');
    const { key } = await services.apiKeys.create(caller, { name: 'Demo key' });
    await keep(keyFile, `${key}\n`);
    const demoPerson = { email: 'demo@example.com', name: 'Demo', role: 'owner' };
    const { member, temporaryPassword } = await services.members.create(caller, demoPerson, {
      mustChangePassword: false,
    });
    await keep(signInFile, `${member.email}\n${temporaryPassword}\n`);
  }
  const [[key], [email, password]] = await Promise.all([readLines(keyFile), readLines(signInFile)]);
  return { key: key || undefined, signIn: email && password ? [email, password] : undefined };
}

export const demoText = (baseUrl: string, { key, signIn }: Demo): string => `
PIX payment service on ${baseUrl}
  Dashboard          ${baseUrl}/dashboard
  Documentation      ${baseUrl}/docs
  GraphQL explorer   ${baseUrl}/graphql
  Demo test key      ${key ?? ''}
${signIn ? `  Demo sign-in       ${signIn.join(' with the password ')}\n` : ''}
Create a payment:

  curl -s ${baseUrl}/v1/payments -H 'X-API-Key: ${key ?? ''}' -H 'Content-Type: application/json' -d '{"amount": 10.00}'

`;
