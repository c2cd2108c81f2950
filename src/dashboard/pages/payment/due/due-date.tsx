import { Text } from '@mantine/core';
import { Fact, Facts } from '../../../parts/facts.tsx';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import type { Payment, Terms as DueTerms } from '../base/documents.ts';
import { PaidParts } from './paid-parts.tsx';
import { useTermTexts } from './term-texts.ts';
import { BorderedSection } from '../../../ui/page.tsx';

const messages = texts(
  {
    title: 'Vencimento e encargos',
    date: 'Vencimento',
    adjusted: (day: string) => `Sem expediente bancário: prorrogado para ${day}`,
    last: 'Último dia para pagar',
    fine: 'Multa',
    interest: 'Juros',
    discounts: 'Descontos',
    rebate: 'Abatimento',
    today: 'Valor hoje',
    estimate:
      'Estimativa: o banco do pagador considera os feriados da cidade dele e pode arredondar de outra forma.',
  },
  {
    title: 'Due date and charges',
    date: 'Due date',
    adjusted: (day: string) => `Banks are closed: moved to ${day}`,
    last: 'Last day to pay',
    fine: 'Fine',
    interest: 'Interest',
    discounts: 'Discounts',
    rebate: 'Rebate',
    today: 'Amount today',
    estimate: 'An estimate: the payer’s bank knows the holidays of their city, and may round differently.',
  },
);

const Note = ({ children }: { children: string }) => (
  <Text size="xs" c="dimmed">
    {children}
  </Text>
);

function Terms({ due }: { due: DueTerms }) {
  const text = useTexts(messages);
  const terms = useTermTexts();
  const { calendarDay } = useFormats();
  const { date, adjustedDate, lastPayableOn, fine, interest, discounts, earlyDiscount, rebate } = due;
  return (
    <>
      <Fact name={text.date}>
        {calendarDay(date)}
        {adjustedDate !== date && <Note>{text.adjusted(calendarDay(adjustedDate))}</Note>}
      </Fact>
      <Fact name={text.last}>{calendarDay(lastPayableOn)}</Fact>
      {fine && <Fact name={text.fine}>{terms.share(fine)}</Fact>}
      {interest && <Fact name={text.interest}>{terms.interest(interest)}</Fact>}
      {discounts && (
        <Fact name={text.discounts}>
          {discounts.map((discount) => (
            <div key={discount.until}>{terms.discount(discount)}</div>
          ))}
        </Fact>
      )}
      {earlyDiscount && <Fact name={text.discounts}>{terms.earlyDiscount(earlyDiscount)}</Fact>}
      {rebate && <Fact name={text.rebate}>{terms.share(rebate)}</Fact>}
    </>
  );
}

/** Shows the terms, and what is owed by them today or was paid. Renders nothing for a payment without a due date. */
export function DueDate({ payment }: { payment: Payment }) {
  const text = useTexts(messages);
  const { money } = useFormats();
  const { due, amountPaid } = payment;
  if (!due) return null;
  return (
    <BorderedSection title={text.title}>
      <Facts>
        <Terms due={due} />
        {due.amountToday !== null && (
          <Fact name={text.today}>
            <strong>{money(due.amountToday)}</strong>
            <Note>{text.estimate}</Note>
          </Fact>
        )}
      </Facts>
      {amountPaid !== null && <PaidParts {...payment} amountPaid={amountPaid} />}
    </BorderedSection>
  );
}
