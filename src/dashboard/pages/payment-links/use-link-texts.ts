import { texts, useFormats, useTexts } from '../../base/language.tsx';
import type { PaymentLink } from './documents.ts';

const messages = texts(
  {
    open: 'Valor livre',
    from: (minimum: string) => `A partir de ${minimum}`,
    upTo: (maximum: string) => `Até ${maximum}`,
    between: (minimum: string, maximum: string) => `De ${minimum} a ${maximum}`,
    once: 'Único',
    often: 'Múltiplo',
    never: 'Não expira',
    none: 'Nenhum pagamento',
    paidOf: (paid: string, payments: string) =>
      `${paid} de ${payments} ${payments === '1' ? 'pago' : 'pagos'}`,
  },
  {
    open: 'Any amount',
    from: (minimum: string) => `From ${minimum}`,
    upTo: (maximum: string) => `Up to ${maximum}`,
    between: (minimum: string, maximum: string) => `${minimum} to ${maximum}`,
    once: 'Single',
    often: 'Multiple',
    never: 'Never',
    none: 'No payments',
    paidOf: (paid: string, payments: string) => `${paid} of ${payments} paid`,
  },
);

/** Describes a link in words. */
export function useLinkTexts() {
  const text = useTexts(messages);
  const { money, count, dateTime } = useFormats();
  const amountOf = ({ amount, minimumAmount, maximumAmount }: PaymentLink): string => {
    if (amount !== null) return money(amount);
    if (minimumAmount !== null && maximumAmount !== null)
      return text.between(money(minimumAmount), money(maximumAmount));
    if (minimumAmount !== null) return text.from(money(minimumAmount));
    return maximumAmount === null ? text.open : text.upTo(money(maximumAmount));
  };
  return {
    amountOf,
    nameOf: (link: PaymentLink) => link.description ?? amountOf(link),
    usesOf: ({ singleUse }: PaymentLink) => (singleUse ? text.once : text.often),
    expiryOf: ({ expiresAt }: PaymentLink) => (expiresAt === null ? text.never : dateTime(expiresAt)),
    /** A plus says that there are more payments than are counted. */
    paidOf: ({ totals: { paid, payments, isAtLeast } }: PaymentLink) =>
      payments === 0 ? text.none : text.paidOf(count(paid), count(payments) + (isAtLeast ? '+' : '')),
  };
}
