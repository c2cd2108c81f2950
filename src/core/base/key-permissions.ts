/** Permissions of a key for which none are named. */
export const defaultPermissions = ['payments:create', 'payments:cancel', 'payments:refund'] as const;

/** Permissions of an API key. Reading payments needs none. */
export const permissions = [...defaultPermissions, 'webhooks:manage'] as const;

export type Permission = (typeof permissions)[number];

export const isPermission = (text: string): text is Permission =>
  (permissions as readonly string[]).includes(text);
