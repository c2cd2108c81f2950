import { Button, Group, Modal, Radio, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useState } from 'react';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { Refusal } from '../../api/refusal.ts';
import { MoneyInput } from '../../parts/money-input.tsx';
import { FailureAlert } from '../../parts/states.tsx';
import { texts, useFormats, useTexts } from '../../shell/language.tsx';
import { notify, useServiceMutation } from '../../shell/use-service.ts';
import { type Payment, refundPaymentDocument } from './documents.ts';

const said = texts(
  {
    refund: 'Devolver',
    title: 'Devolver ao pagador',
    about: 'O dinheiro volta para a conta de onde veio. Uma devolução não pode ser desfeita.',
    howMuch: 'Quanto devolver',
    all: (amount: string) => `Tudo o que resta: ${amount}`,
    part: 'Uma parte',
    amount: 'Valor a devolver',
    back: 'Voltar',
    confirm: (amount: string) => `Devolver ${amount}`,
    completed: (amount: string) => `${amount} devolvidos`,
    pending: 'Devolução pedida; o provedor ainda não respondeu',
    refused: 'O provedor recusou a devolução.',
  },
  {
    refund: 'Refund',
    title: 'Refund the payer',
    about: 'The money goes back to the account that it came from. A refund cannot be undone.',
    howMuch: 'How much to refund',
    all: (amount: string) => `All that is left: ${amount}`,
    part: 'A part',
    amount: 'Amount to refund',
    back: 'Go back',
    confirm: (amount: string) => `Refund ${amount}`,
    completed: (amount: string) => `${amount} refunded`,
    pending: 'The refund is requested; the provider has not answered yet',
    refused: 'The provider refused the refund.',
  },
);

interface RefundFormProps {
  payment: Payment;
  /** What can still be refunded, in BRL. */
  left: number;
  close: () => void;
}

/** Sends, under one key for as long as it is open: an answer that was lost is asked for, not paid, again. */
function useRefund({ payment, close }: RefundFormProps) {
  const text = useTexts(said);
  const formats = useFormats();
  const refund = useServiceMutation(refundPaymentDocument);
  const [idempotencyKey, setIdempotencyKey] = useState(newIdempotencyKey);
  const isRefused = refund.data?.refundPayment.status === 'failed';
  const send = (amount: number) => {
    refund.mutate(
      { id: payment.id, amount, idempotencyKey },
      {
        onSuccess: ({ refundPayment: { status } }) => {
          if (status === 'failed') {
            setIdempotencyKey(newIdempotencyKey());
            return;
          }
          close();
          notify(status === 'completed' ? text.completed(formats.money(amount)) : text.pending);
        },
      },
    );
  };
  const error = isRefused ? new Refusal({ message: text.refused }) : refund.error;
  return { send, isPending: refund.isPending, error };
}

function RefundForm(properties: RefundFormProps) {
  const { left, close } = properties;
  const text = useTexts(said);
  const formats = useFormats();
  const { send, isPending, error } = useRefund(properties);
  const [share, setShare] = useState('all');
  const [part, setPart] = useState<number | string>('');
  const amount = share === 'all' ? left : Number(part);
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(amount);
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{text.about}</Text>
        <Radio.Group label={text.howMuch} value={share} onChange={setShare}>
          <Stack gap="xs" mt="xs">
            <Radio value="all" label={text.all(formats.money(left))} />
            <Radio value="part" label={text.part} />
          </Stack>
        </Radio.Group>
        {share === 'part' && (
          <MoneyInput label={text.amount} required data-autofocus value={part} onChange={setPart} />
        )}
        <FailureAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close}>
            {text.back}
          </Button>
          <Button type="submit" color="red" loading={isPending} disabled={!(amount > 0)}>
            {text.confirm(formats.money(amount))}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Gives back the whole amount or a part of it. */
export function RefundButton({ payment, left }: Omit<RefundFormProps, 'close'>) {
  const text = useTexts(said);
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        {text.refund}
      </Button>
      <Modal opened={isOpen} onClose={close} title={text.title}>
        <RefundForm payment={payment} left={left} close={close} />
      </Modal>
    </>
  );
}
