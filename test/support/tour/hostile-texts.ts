/** What people and shops really type, at its worst: no place to break a line, other directions, other widths. */

export const unbroken = (length: number): string => 'Ilimitada'.repeat(length).slice(0, length);

/** Written from right to left. */
export const rightToLeft = 'محمد بن عبد الله آل سعود';

/** Characters of several code points each. */
export const family = '👩‍👩‍👧‍👦';

/** The widest that a payment can have. */
export const largestAmount = 9_999_999_999.99;

export const longAddress = (domain: string): string =>
  `${'pagador.com.um.nome.comprido'.repeat(2)}@${domain}.example.com`;

/** The path of an endpoint's URL in somebody's cloud. */
export const longPath = `/webhooks/${'pix-notifications-'.repeat(12)}?token=${'0123456789abcdef'.repeat(6)}`;
