import { texts, useTexts } from '../../base/language.tsx';
import { Fact } from '../../parts/facts.tsx';
import { useTermTexts } from '../payment/due/term-texts.ts';
import type { WholePaymentLink } from './documents.ts';

const messages = texts(
  {
    due: 'Vencimento',
    dueIn: (days: number) =>
      days === 0 ? 'No dia em que o Pix é gerado' : `${days} ${days === 1 ? 'dia' : 'dias'} após gerar o Pix`,
    payable: 'Pagável após o vencimento',
    days: (days: number) => `${days} ${days === 1 ? 'dia' : 'dias'}`,
    fine: 'Multa',
    interest: 'Juros',
    discounts: 'Descontos',
    discount: (part: string, days: number) =>
      days === 0 ? `${part} até o vencimento` : `${part} até ${days} ${days === 1 ? 'dia' : 'dias'} antes`,
    rebate: 'Abatimento',
  },
  {
    due: 'Due date',
    dueIn: (days: number) =>
      days === 0
        ? 'The day on which the Pix is created'
        : `${days} ${days === 1 ? 'day' : 'days'} after the Pix is created`,
    payable: 'Payable after the due date',
    days: (days: number) => `${days} ${days === 1 ? 'day' : 'days'}`,
    fine: 'Fine',
    interest: 'Interest',
    discounts: 'Discounts',
    discount: (part: string, days: number) =>
      days === 0
        ? `${part} until the due date`
        : `${part} until ${days} ${days === 1 ? 'day' : 'days'} before`,
    rebate: 'Rebate',
  },
);

/** Renders nothing for a link without a due date. */
export function LinkDueFacts({ link }: { link: WholePaymentLink }) {
  const text = useTexts(messages);
  const terms = useTermTexts();
  const { dueInDays, payableDaysAfter, fine, interest, discounts, earlyDiscount, rebate } = link;
  if (dueInDays === null) return null;
  return (
    <>
      <Fact name={text.due}>{text.dueIn(dueInDays)}</Fact>
      {payableDaysAfter !== null && <Fact name={text.payable}>{text.days(payableDaysAfter)}</Fact>}
      {fine && <Fact name={text.fine}>{terms.share(fine)}</Fact>}
      {interest && <Fact name={text.interest}>{terms.interest(interest)}</Fact>}
      {discounts && (
        <Fact name={text.discounts}>
          {discounts.map((discount) => (
            <div key={discount.daysBefore}>{text.discount(terms.share(discount), discount.daysBefore)}</div>
          ))}
        </Fact>
      )}
      {earlyDiscount && <Fact name={text.discounts}>{terms.earlyDiscount(earlyDiscount)}</Fact>}
      {rebate && <Fact name={text.rebate}>{terms.share(rebate)}</Fact>}
    </>
  );
}
