import type { Address } from './address.ts';

interface PayerFields {
  payerName?: string | undefined;
  payerDocument?: string | undefined;
  payerEmail?: string | undefined;
  payerAddress?: Address | undefined;
  paidBy?: { name?: string | undefined; institution?: object | undefined } | undefined;
  payerAccount?: { ispb: string; branch?: string | undefined; account: string } | undefined;
}

const maskAllBut = (kept: number, text: string): string =>
  `${'*'.repeat(Math.max(3, text.length - kept))}${text.length > kept ? text.slice(-kept) : ''}`;

const maskName = (name: string): string => `${name.trim().split(/\s+/)[0] ?? ''} ***`;

const maskEmail = (email: string): string => email.replace(/^(.?)[^]*?(@[^@]*)?$/, '$1***$2');

const hidden = '***';

const maskAddress = ({ city, state }: Address): Address => ({
  street: hidden,
  number: hidden,
  city,
  state,
  postalCode: hidden,
});

/** The institution tells little, what somebody wrote may tell everything. */
const maskPaidBy = ({ name, institution }: NonNullable<PayerFields['paidBy']>) => ({
  ...(name !== undefined && { name: maskName(name) }),
  ...(institution && { institution }),
});

/** Leaves enough to tell payers apart in conversation, too little to identify them. */
export const maskPayer = <View extends PayerFields>(view: View): View => ({
  ...view,
  ...(view.payerName !== undefined && { payerName: maskName(view.payerName) }),
  ...(view.payerDocument !== undefined && { payerDocument: maskAllBut(2, view.payerDocument) }),
  ...(view.payerEmail !== undefined && { payerEmail: maskEmail(view.payerEmail) }),
  ...(view.payerAddress !== undefined && { payerAddress: maskAddress(view.payerAddress) }),
  ...(view.paidBy !== undefined && { paidBy: maskPaidBy(view.paidBy) }),
  ...(view.payerAccount !== undefined && {
    payerAccount: { ispb: view.payerAccount.ispb, account: maskAllBut(2, view.payerAccount.account) },
  }),
});
