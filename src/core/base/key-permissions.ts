/** Permissions of an API key. Reading needs none. */
export const permissions = ['payments:create', 'payments:cancel', 'payments:refund'] as const;

export type Permission = (typeof permissions)[number];

export const isPermission = (text: string): text is Permission =>
  (permissions as readonly string[]).includes(text);
