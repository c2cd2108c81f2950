import { chmod, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Services } from './app.ts';
import { operatorFor } from './services/caller.ts';

/** The test key of the organization that the first embedded start creates; undefined when it is not there. */
export async function ensureDemoKey(services: Services, dataDirectory: string): Promise<string | undefined> {
  const file = join(dataDirectory, 'demo-key');
  const organizations = await services.organizations.list();
  if (organizations.length > 0) {
    return readFile(file, 'utf8').then(
      (text) => text.trim(),
      () => undefined,
    );
  }
  const organization = await services.organizations.create('Demo');
  const { key } = await services.apiKeys.create(operatorFor(organization.id, 'test'), { name: 'Demo key' });
  await writeFile(file, `${key}\n`, { mode: 0o600 });
  await chmod(file, 0o600);
  return key;
}

export const demoText = (baseUrl: string, key: string): string => `
PIX payment service on ${baseUrl}
  API reference      ${baseUrl}/docs
  GraphQL explorer   ${baseUrl}/graphql
  Demo test key      ${key}

Create a payment:

  curl -s ${baseUrl}/v1/payments -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' -d '{"amount": 10.00}'

`;
