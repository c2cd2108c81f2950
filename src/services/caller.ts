import { ServiceError } from '../domain/errors.ts';
import type { Mode } from '../domain/mode.ts';
import type { Permission } from '../domain/permissions.ts';

/** Who asks. The tenant of every query comes from here, never from the input. */
export interface Caller {
  organizationId: string;
  mode: Mode;
  keyId: string;
  permissions: ReadonlySet<string>;
}

export function assertPermission(caller: Caller, permission: Permission): void {
  if (!caller.permissions.has(permission)) {
    throw new ServiceError('forbidden', `This API key lacks the permission ${permission}`);
  }
}
