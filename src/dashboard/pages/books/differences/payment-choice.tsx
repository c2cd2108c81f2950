import { Radio, Stack, Text } from '@mantine/core';
import { useDebouncedValue } from '@mantine/hooks';
import { useState } from 'react';
import { TextInput } from '../../../ui/inputs/fields.tsx';
import { statusTexts } from '../../../parts/payment-status.tsx';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { useServiceQuery } from '../../../base/use-service.ts';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { candidatesDocument } from '../base/documents.ts';

const messages = texts(
  {
    search: 'Buscar pagamento',
    searchAbout: 'ID, referência ou valor, exatamente como no pagamento.',
    payment: 'Pagamento',
    none: 'Nenhum pagamento encontrado',
  },
  {
    search: 'Find the payment',
    searchAbout: 'ID, reference or amount, exactly as in the payment.',
    payment: 'Payment',
    none: 'No payments found',
  },
);

const debounceMs = 300;

interface PaymentChoiceProps {
  /** Payments of this amount are offered first. */
  amount: number | null;
  value: string | null;
  onChange: (paymentId: string) => void;
}

/** Picks one of the live payments that a search finds. */
export function PaymentChoice({ amount, value, onChange }: PaymentChoiceProps) {
  const text = useTexts(messages);
  const statuses = useTexts(statusTexts);
  const formats = useFormats();
  const [typed, setTyped] = useState(amount === null ? '' : formats.amount(amount));
  const [wanted] = useDebouncedValue(typed.trim(), debounceMs);
  const found = useServiceQuery(candidatesDocument, { text: wanted }, { enabled: wanted !== '' });
  const payments = found.data?.searchPayments;
  return (
    <Stack gap="xs">
      <TextInput
        label={text.search}
        description={text.searchAbout}
        maxLength={255}
        value={typed}
        onChange={(event) => {
          setTyped(event.currentTarget.value);
        }}
      />
      <ErrorAlert error={found.error} />
      {payments?.length === 0 && <Text size="sm">{text.none}</Text>}
      {payments && payments.length > 0 && (
        <Radio.Group label={text.payment} required value={value} onChange={onChange}>
          <Stack gap="xs" mt={4}>
            {payments.map((payment) => (
              <Radio
                key={payment.id}
                value={payment.id}
                label={`${formats.money(payment.amount)}, ${formats.dateTime(payment.createdAt)}`}
                description={[payment.externalId, statuses[payment.status], `…${payment.id.slice(-8)}`]
                  .filter(Boolean)
                  .join(' · ')}
              />
            ))}
          </Stack>
        </Radio.Group>
      )}
    </Stack>
  );
}
