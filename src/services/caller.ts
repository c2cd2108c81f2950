import { ServiceError } from '../domain/errors.ts';
import type { Mode } from '../domain/mode.ts';
import type { Permission } from '../domain/permissions.ts';

/** Who asks. The tenant of every query comes from here, never from the input. */
export type Caller = KeyCaller | OperatorCaller;

interface OfTenant {
  organizationId: string;
  mode: Mode;
}

export interface KeyCaller extends OfTenant {
  kind: 'key';
  keyId: string;
  permissions: ReadonlySet<string>;
}

/** Whoever runs the service, at the command line. */
export interface OperatorCaller extends OfTenant {
  kind: 'operator';
}

/** Payments are made, cancelled and refunded by keys alone. */
export function assertPermission(caller: Caller, permission: Permission): asserts caller is KeyCaller {
  if (caller.kind !== 'key') throw new ServiceError('forbidden', 'This needs an API key');
  if (!caller.permissions.has(permission)) {
    throw new ServiceError('forbidden', `This API key lacks the permission ${permission}`);
  }
}

/** What shows or changes secrets is not for a key, which sits in a program. */
export function assertMayManage(caller: Caller): void {
  if (caller.kind === 'key') {
    throw new ServiceError('forbidden', 'An API key may not do this: it needs a person who is signed in');
  }
}
