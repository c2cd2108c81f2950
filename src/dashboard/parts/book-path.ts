import { sandboxAccount } from '../../core/books/rules/sandbox-account.ts';

const accountOf = (credentialId: string | null): string => credentialId ?? sandboxAccount;

export const credentialOf = (account: string): string | null => (account === sandboxAccount ? null : account);

/** Leads to the page of a day of the books. */
export const bookPath = (credentialId: string | null, date: string): string =>
  `/books/${accountOf(credentialId)}/${date}`;
