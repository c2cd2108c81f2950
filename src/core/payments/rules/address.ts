import type { z } from 'zod';
import type { addressSchema } from './address-schema.ts';

export type Address = z.output<typeof addressSchema>;

/** GraphQL has null for what is left out. */
type Written = Omit<Address, 'complement' | 'district'> & {
  readonly [Name in 'complement' | 'district']?: string | null | undefined;
};

export const streetLineOf = ({ street, number, complement, district }: Written): string =>
  [street, number, complement, district].filter(Boolean).join(', ');

/** The whole of it in a line. */
export const addressLineOf = (address: Written): string =>
  `${streetLineOf(address)}, ${address.city}/${address.state}, ${address.postalCode.replace(/^\d{5}(?=\d{3}$)/, '$&-')}`;
