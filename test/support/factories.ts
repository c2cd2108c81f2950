import { randomUUID } from 'node:crypto';
import type { Services } from '../../src/core/create-services.ts';
import type { Mode } from '../../src/core/base/mode.ts';
import { operatorFor } from '../../src/core/base/caller.ts';

export interface TestKey {
  organizationId: string;
  id: string;
  key: string;
}

/** An organization of the test's own, with a key that may do everything unless it says otherwise. */
export async function createKey(
  services: Services,
  {
    mode = 'test',
    permissions,
    organizationId,
  }: { mode?: Mode; permissions?: string[]; organizationId?: string } = {},
): Promise<TestKey> {
  const owner = organizationId ?? (await services.organizations.create(`Test ${randomUUID()}`)).id;
  const { id, key } = await services.apiKeys.create(operatorFor(owner, mode), { permissions });
  return { organizationId: owner, id, key };
}
