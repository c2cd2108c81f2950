import { Text } from '@mantine/core';
import { useState } from 'react';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { useServiceMutation } from '../../../base/use-service.ts';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { DialogButton } from '../../../ui/dialog.tsx';
import { Select } from '../../../ui/inputs/fields.tsx';
import { retryPaymentDocument } from '../base/documents.ts';

const messages = texts(
  {
    retry: 'Tentar de novo',
    about: 'O banco do pagador recebe o pedido até as 22h do dia anterior e debita no dia escolhido.',
    day: 'Dia da nova tentativa',
    done: 'Nova tentativa pedida',
  },
  {
    retry: 'Try again',
    about:
      'The payer’s bank gets the request by 22:00 on the day before, and debits the account on the chosen day.',
    day: 'Day of the next attempt',
    done: 'Another attempt requested',
  },
);

interface RetryProps {
  id: string;
  /** For which the service accepts it. */
  days: string[];
}

function RetryForm({ id, days, close }: RetryProps & { close: () => void }) {
  const text = useTexts(messages);
  const { calendarDay } = useFormats();
  const retry = useServiceMutation(retryPaymentDocument, text.done);
  const [chosen, setChosen] = useState<string | null>(null);
  const date = days.find((day) => day === chosen) ?? days[0];
  return (
    <DialogForm
      submit={text.retry}
      mutation={retry}
      isDisabled={date === undefined}
      onCancel={close}
      onSubmit={() => {
        if (date === undefined) return;
        retry.mutate({ id, date }, { onSuccess: close });
      }}
    >
      <Text size="sm">{text.about}</Text>
      <Select
        label={text.day}
        allowDeselect={false}
        value={date ?? null}
        data={days.map((day) => ({ value: day, label: calendarDay(day) }))}
        onChange={setChosen}
      />
    </DialogForm>
  );
}

export function RetryButton({ id, days }: RetryProps) {
  const text = useTexts(messages);
  return (
    <div>
      <DialogButton label={text.retry} hasButton={days.length > 0}>
        {(close) => <RetryForm id={id} days={days} close={close} />}
      </DialogButton>
    </div>
  );
}
