import { Button, Group, Radio, Stack, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { type FormEvent, useRef, useState } from 'react';
import { newIdempotencyKey } from '../../api/idempotency-key.ts';
import { Refusal } from '../../api/refusal.ts';
import { Dialog } from '../../parts/dialog.tsx';
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
    tooMuch: (amount: string) => `Restam só ${amount}.`,
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
    tooMuch: (amount: string) => `Only ${amount} is left.`,
    back: 'Go back',
    confirm: (amount: string) => `Refund ${amount}`,
    completed: (amount: string) => `${amount} refunded`,
    pending: 'The refund is requested; the provider has not answered yet',
    refused: 'The provider refused the refund.',
  },
);

interface RefundButtonProps {
  payment: Payment;
  /** What can still be refunded, in BRL. */
  left: number;
}

interface RefundFormProps extends RefundButtonProps {
  keys: RefundKeys;
  close: () => void;
}

/** An amount keeps its key until it is known what became of it: an answer that was lost is asked for, not paid, again. */
function useRefundKeys() {
  const kept = useRef<{ amount: number; key: string }>(undefined);
  return {
    keyOf: (amount: number): string => {
      if (kept.current?.amount !== amount) kept.current = { amount, key: newIdempotencyKey() };
      return kept.current.key;
    },
    forget: () => {
      kept.current = undefined;
    },
  };
}

type RefundKeys = ReturnType<typeof useRefundKeys>;

function useRefund({ payment, keys, close }: RefundFormProps) {
  const text = useTexts(said);
  const formats = useFormats();
  const refund = useServiceMutation(refundPaymentDocument);
  const isRefused = refund.data?.refundPayment.status === 'failed';
  const send = (amount: number) => {
    refund.mutate(
      { id: payment.id, amount, idempotencyKey: keys.keyOf(amount) },
      {
        onSuccess: ({ refundPayment: { status } }) => {
          keys.forget();
          if (status === 'failed') return;
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
  const isTooMuch = amount > left;
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
          <MoneyInput
            label={text.amount}
            required
            data-autofocus
            value={part}
            onChange={setPart}
            error={isTooMuch && text.tooMuch(formats.money(left))}
          />
        )}
        <FailureAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={isPending}>
            {text.back}
          </Button>
          <Button type="submit" color="red" loading={isPending} disabled={!(amount > 0) || isTooMuch}>
            {text.confirm(formats.money(amount))}
          </Button>
        </Group>
      </Stack>
    </form>
  );
}

/** Gives back the whole amount or a part of it. */
export function RefundButton({ payment, left }: RefundButtonProps) {
  const text = useTexts(said);
  const keys = useRefundKeys();
  const [isOpen, { open, close }] = useDisclosure(false);
  return (
    <>
      <Button variant="default" onClick={open}>
        {text.refund}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text.title}>
        <RefundForm payment={payment} left={left} keys={keys} close={close} />
      </Dialog>
    </>
  );
}
