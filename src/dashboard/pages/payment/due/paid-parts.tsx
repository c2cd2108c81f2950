import { Divider, Text } from '@mantine/core';
import { Fact, Facts } from '../../../parts/facts.tsx';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import type { Payment } from '../base/documents.ts';

const messages = texts(
  {
    paid: 'Valor pago',
    original: 'Valor original',
    rebate: 'Abatimento',
    discount: 'Desconto',
    fine: 'Multa',
    interest: 'Juros',
    computed: 'Composição calculada aqui: o provedor informou só o total.',
  },
  {
    paid: 'Amount paid',
    original: 'Original amount',
    rebate: 'Rebate',
    discount: 'Discount',
    fine: 'Fine',
    interest: 'Interest',
    computed: 'Computed here: the provider told only the total.',
  },
);

const names = ['rebate', 'discount', 'fine', 'interest'] as const;
const signs = { rebate: '−', discount: '−', fine: '+', interest: '+' };

interface PaidPartsProps extends Pick<Payment, 'amount' | 'amountParts'> {
  amountPaid: number;
}

/** Shows what was paid, and what it consists of as far as that is known. */
export function PaidParts({ amount, amountParts: parts, amountPaid }: PaidPartsProps) {
  const text = useTexts(messages);
  const { money } = useFormats();
  return (
    <>
      <Divider my="xs" />
      <Facts>
        <Fact name={text.original}>{money(parts?.original ?? amount)}</Fact>
        {parts &&
          names
            .filter((name) => parts[name] > 0)
            .map((name) => (
              <Fact key={name} name={text[name]}>
                {signs[name]} {money(parts[name])}
              </Fact>
            ))}
        <Fact name={text.paid}>
          <strong>{money(amountPaid)}</strong>
          {parts?.computed && (
            <Text size="xs" c="dimmed">
              {text.computed}
            </Text>
          )}
        </Fact>
      </Facts>
    </>
  );
}
