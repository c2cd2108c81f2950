/** Stands in addresses for the account that has no credential. */
export const sandboxAccount = 'sandbox';
