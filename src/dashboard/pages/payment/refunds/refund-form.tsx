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
    about: 'O dinheiro volta para a conta de origem. Um estorno não pode ser desfeito.',
    howMuch: 'Quanto estornar',
    all: (amount: string) => `Valor restante: ${amount}`,
    part: 'Valor parcial',
    amount: 'Valor do estorno',
    tooMuch: (amount: string) => `O máximo é ${amount}.`,
    nothingLeft: 'Não há mais valor a estornar.',
    again: (instant: string) =>
      `Um estorno deste mesmo valor já foi solicitado em ${instant}. Este será um estorno adicional.`,
    back: 'Voltar',
    confirm: (amount: string) => `Estornar ${amount}`,
    confirmAgain: (amount: string) => `Estornar mais ${amount}`,
    completed: (amount: string) => `Estorno de ${amount} concluído`,
    pending: 'Estorno solicitado; aguardando o provedor',
    awaiting: 'Enviado para aprovação: outra pessoa precisa aprovar.',
    refused: 'O provedor recusou o estorno.',
  },
  {
    about: 'The money goes back to the account it came from. A refund cannot be undone.',
    howMuch: 'How much to refund',
    all: (amount: string) => `Remaining amount: ${amount}`,
    part: 'Partial amount',
    amount: 'Refund amount',
    tooMuch: (amount: string) => `The maximum is ${amount}.`,
    nothingLeft: 'Nothing left to refund.',
    again: (instant: string) =>
      `A refund of the same amount was requested on ${instant}. This will be an additional refund.`,
    back: 'Go back',
    confirm: (amount: string) => `Refund ${amount}`,
    confirmAgain: (amount: string) => `Refund another ${amount}`,
    completed: (amount: string) => `${amount} refunded`,
    pending: 'Refund requested; waiting for the provider',
    awaiting: 'Sent for approval: another person must approve it.',
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
