import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { Refusal } from '../../../api/service-error.ts';
import { MoneyInput } from '../../../ui/money-input.tsx';
import { FailureAlert } from '../../../ui/error-alert.tsx';
import { texts, useFormats, useTexts } from '../../../shell/language.tsx';
import { notify, useServiceMutation } from '../../../shell/use-service.ts';
import { refundPaymentDocument, type SeenRefunds } from '../documents.ts';
import { refundSumsOf } from './refund-sums.ts';
import { RefundsSoFar } from './refunds-so-far.tsx';

const said = texts(
  {
    about: 'O dinheiro volta para a conta de onde veio. Uma devolução não pode ser desfeita.',
    howMuch: 'Quanto devolver',
    all: (amount: string) => `Tudo o que resta: ${amount}`,
    part: 'Uma parte',
    amount: 'Valor a devolver',
    tooMuch: (amount: string) => `Restam só ${amount}.`,
    nothingLeft: 'Não resta nada a devolver.',
    again: (instant: string) =>
      `Uma devolução deste mesmo valor já foi pedida em ${instant}. Esta seria mais uma.`,
    back: 'Voltar',
    confirm: (amount: string) => `Devolver ${amount}`,
    confirmAgain: (amount: string) => `Devolver mais ${amount}`,
    completed: (amount: string) => `${amount} devolvidos`,
    pending: 'Devolução pedida; o provedor ainda não respondeu',
    awaiting: 'Enviado para aprovação: outra pessoa precisa aprovar.',
    refused: 'O provedor recusou a devolução.',
  },
  {
    about: 'The money goes back to the account that it came from. A refund cannot be undone.',
    howMuch: 'How much to refund',
    all: (amount: string) => `All that is left: ${amount}`,
    part: 'A part',
    amount: 'Amount to refund',
    tooMuch: (amount: string) => `Only ${amount} is left.`,
    nothingLeft: 'Nothing is left to refund.',
    again: (instant: string) =>
      `A refund of this same amount was requested on ${instant}. This would be another one.`,
    back: 'Go back',
    confirm: (amount: string) => `Refund ${amount}`,
    confirmAgain: (amount: string) => `Refund another ${amount}`,
    completed: (amount: string) => `${amount} refunded`,
    pending: 'The refund is requested; the provider has not answered yet',
    awaiting: 'Sent for approval: another person has to approve it.',
    refused: 'The provider refused the refund.',
  },
);

interface RefundFormProps {
  seen: SeenRefunds;
  /** Shows what is there now. */
  look: () => void;
  close: () => void;
}

/**
 * Named after what was seen, so that it is one refund, however often and by however many people it is asked for,
 * until they see it.
 */
const keyOf = ({ payment, refunds }: SeenRefunds, amount: number): string =>
  `refund ${refunds.length + 1} of ${payment.id}: ${amount}`;

/** The service did nothing; after any other failure it may have. */
const isRefused = (error: unknown): boolean => error instanceof Refusal && error.code === 'BAD_USER_INPUT';

function useRefund({ seen, look, close }: RefundFormProps) {
  const text = useTexts(said);
  const formats = useFormats();
  const refund = useServiceMutation(refundPaymentDocument);
  const send = (amount: number) => {
    refund.mutate(
      { id: seen.payment.id, amount, idempotencyKey: keyOf(seen, amount) },
      {
        onSuccess: ({ refundPayment: { status, awaitingApproval } }) => {
          if (status === 'failed') {
            look();
            return;
          }
          close();
          const pending = awaitingApproval ? text.awaiting : text.pending;
          notify(status === 'completed' ? text.completed(formats.money(amount)) : pending);
        },
        onError: (error) => {
          if (isRefused(error)) look();
        },
      },
    );
  };
  const isRefusedByProvider = refund.data?.refundPayment.status === 'failed';
  return {
    send,
    isPending: refund.isPending,
    isUndecided: refund.isPending || (refund.isError && !isRefused(refund.error)),
    error: isRefusedByProvider ? new Refusal({ message: text.refused }) : refund.error,
  };
}

interface Share {
  isAll: boolean;
  part: number | '';
}

interface ShareChoiceProps {
  left: number;
  share: Share;
  change: (changes: Partial<Share>) => void;
  isFixed: boolean;
}

function ShareChoice({ left, share, change, isFixed }: ShareChoiceProps) {
  const text = useTexts(said);
  const { money } = useFormats();
  return (
    <>
      <Radio.Group
        label={text.howMuch}
        value={share.isAll ? 'all' : 'part'}
        onChange={(value) => {
          change({ isAll: value === 'all' });
        }}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={text.all(money(left))} disabled={isFixed} />
          <Radio value="part" label={text.part} disabled={isFixed} />
        </Stack>
      </Radio.Group>
      {!share.isAll && (
        <MoneyInput
          label={text.amount}
          required
          data-autofocus
          disabled={isFixed}
          value={share.part}
          onChange={(part) => {
            change({ part });
          }}
          error={Number(share.part) > left && text.tooMuch(money(left))}
        />
      )}
    </>
  );
}

/** Asks how much; what is being asked for stays as it is until its outcome is known. */
export function RefundForm(properties: RefundFormProps) {
  const { seen, close } = properties;
  const text = useTexts(said);
  const { money, dateTime } = useFormats();
  const { send, isPending, isUndecided, error } = useRefund(properties);
  const [share, setShare] = useState<Share>({ isAll: true, part: '' });
  const { left } = refundSumsOf(seen);
  const amount = share.isAll ? left : Number(share.part);
  const same = seen.refunds.findLast((each) => each.amount === amount && each.status !== 'failed');
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(amount);
  };
  const change = (changes: Partial<Share>) => {
    setShare({ ...share, ...changes });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{text.about}</Text>
        <RefundsSoFar {...seen} />
        {left > 0 ? (
          <ShareChoice left={left} share={share} change={change} isFixed={isUndecided} />
        ) : (
          <Text size="sm">{text.nothingLeft}</Text>
        )}
        {same && (
          <Alert color="yellow" variant="light">
            {text.again(dateTime(same.createdAt))}
          </Alert>
        )}
        <FailureAlert error={error} />
        <Group justify="flex-end">
          <Button variant="default" onClick={close} disabled={isPending}>
            {text.back}
          </Button>
          {left > 0 && (
            <Button type="submit" color="red" loading={isPending} disabled={!(amount > 0) || amount > left}>
              {(same ? text.confirmAgain : text.confirm)(money(amount))}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
