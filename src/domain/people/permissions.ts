/** What a key may be allowed to do. Reading needs none of them. */
export const permissions = ['payments:create', 'payments:cancel', 'payments:refund'] as const;

export type Permission = (typeof permissions)[number];

export const isPermission = (text: string): text is Permission =>
  (permissions as readonly string[]).includes(text);
