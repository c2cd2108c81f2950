import { Alert, Button, Group, Radio, Stack, Text } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { TextInput } from '../../../ui/inputs/fields.tsx';
import { ServiceError } from '../../../api/service-error.ts';
import { LeaveButton } from '../../../ui/dialog.tsx';
import { MoneyInput } from '../../../ui/inputs/money-input.tsx';
import { ErrorAlert } from '../../../ui/error-alert.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { notify, useServiceMutation } from '../../../base/use-service.ts';
import { refundPaymentDocument, type RefundSnapshot } from '../base/documents.ts';
import { refundSumsOf } from './refund-sums.ts';
import { RefundsSoFar } from './refunds-so-far.tsx';

const messages = texts(
  {
    about: 'O dinheiro volta para a conta de origem. Um estorno não pode ser desfeito.',
    howMuch: 'Quanto estornar',
    all: (amount: string) => `Valor restante: ${amount}`,
    part: 'Valor parcial',
    amount: 'Valor do estorno',
    reason: 'Motivo (opcional)',
    aboutReason: 'O pagador lê os primeiros 140 caracteres, se o provedor repassar.',
    tooMuch: (amount: string) => `O máximo é ${amount}.`,
    nothingLeft: 'Não há mais valor a estornar.',
    again: (instant: string) =>
      `Um estorno deste mesmo valor já foi solicitado em ${instant}. Este será um estorno adicional.`,
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
    reason: 'Reason (optional)',
    aboutReason: 'The payer reads the first 140 characters, if the provider passes them on.',
    tooMuch: (amount: string) => `The maximum is ${amount}.`,
    nothingLeft: 'Nothing left to refund.',
    again: (instant: string) =>
      `A refund of the same amount was requested on ${instant}. This will be an additional refund.`,
    confirm: (amount: string) => `Refund ${amount}`,
    confirmAgain: (amount: string) => `Refund another ${amount}`,
    completed: (amount: string) => `${amount} refunded`,
    pending: 'Refund requested; waiting for the provider',
    awaiting: 'Sent for approval: another person must approve it.',
    refused: 'The provider refused the refund.',
  },
);

interface RefundFormProps {
  snapshot: RefundSnapshot;
  /** Replaces the snapshot by the current refunds. */
  refetch: () => void;
  close: () => void;
}

/**
 * Derived from the refunds the person has seen, so that retries, and other people who saw the same, request one refund.
 */
const keyOf = ({ payment, refunds }: RefundSnapshot, amount: number): string =>
  `refund ${refunds.length + 1} of ${payment.id}: ${amount}`;

/** The service made no refund; after any other error it may have made one. */
const isRefused = (error: unknown): boolean =>
  error instanceof ServiceError && (error.code === 'BAD_USER_INPUT' || isTaken(error));

/** Somebody who saw the same has just asked for this refund, with another reason: it is in the refetched snapshot. */
const isTaken = (error: unknown): boolean =>
  error instanceof ServiceError && error.reason === 'idempotency_key_reused';

function useRefund({ snapshot, refetch, close }: RefundFormProps) {
  const text = useTexts(messages);
  const formats = useFormats();
  const refund = useServiceMutation(refundPaymentDocument);
  const send = (amount: number, reason: string) => {
    refund.mutate(
      { id: snapshot.payment.id, amount, reason: reason || null, idempotencyKey: keyOf(snapshot, amount) },
      {
        onSuccess: ({ refundPayment: { status, awaitingApproval } }) => {
          if (status === 'failed') {
            refetch();
            return;
          }
          close();
          const pending = awaitingApproval ? text.awaiting : text.pending;
          notify(status === 'completed' ? text.completed(formats.money(amount)) : pending);
        },
        onError: (error) => {
          if (isRefused(error)) refetch();
        },
      },
    );
  };
  const isRefusedByProvider = refund.data?.refundPayment.status === 'failed';
  return {
    send,
    isPending: refund.isPending,
    isUndecided: refund.isPending || (refund.isError && !isRefused(refund.error)),
    error: isRefusedByProvider
      ? new ServiceError({ wording: text.refused })
      : isTaken(refund.error)
        ? null
        : refund.error,
  };
}

interface Portion {
  isAll: boolean;
  part: number | '';
}

interface PortionChoiceProps {
  left: number;
  amountError: string | undefined;
  portion: Portion;
  change: (changes: Partial<Portion>) => void;
  isFixed: boolean;
}

function PortionChoice({ left, amountError, portion, change, isFixed }: PortionChoiceProps) {
  const text = useTexts(messages);
  const { money } = useFormats();
  return (
    <>
      <Radio.Group
        label={text.howMuch}
        value={portion.isAll ? 'all' : 'part'}
        onChange={(value) => {
          change({ isAll: value === 'all' });
        }}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="all" label={text.all(money(left))} disabled={isFixed} />
          <Radio value="part" label={text.part} disabled={isFixed} />
        </Stack>
      </Radio.Group>
      {!portion.isAll && (
        <MoneyInput
          label={text.amount}
          required
          data-autofocus
          disabled={isFixed}
          value={portion.part}
          onChange={(part) => {
            change({ part });
          }}
          error={Number(portion.part) > left ? text.tooMuch(money(left)) : amountError}
        />
      )}
    </>
  );
}

/** The amount is locked while the outcome of a request is unknown. */
export default function RefundForm(properties: RefundFormProps) {
  const { snapshot, close } = properties;
  const text = useTexts(messages);
  const { money, dateTime } = useFormats();
  const { send, isPending, isUndecided, error } = useRefund(properties);
  const [portion, setPortion] = useState<Portion>({ isAll: true, part: '' });
  const [reason, setReason] = useState('');
  const { left } = refundSumsOf(snapshot);
  const fieldErrors = useFieldErrors(error);
  const amount = portion.isAll ? left : Number(portion.part);
  const same = snapshot.refunds.findLast((each) => each.amount === amount && each.status !== 'failed');
  const action = left > 0 ? (same ? text.confirmAgain : text.confirm)(money(amount)) : undefined;
  const submit = (event: FormEvent) => {
    event.preventDefault();
    send(amount, reason.trim());
  };
  const change = (changes: Partial<Portion>) => {
    setPortion({ ...portion, ...changes });
  };
  return (
    <form onSubmit={submit}>
      <Stack>
        <Text size="sm">{text.about}</Text>
        <RefundsSoFar {...snapshot} />
        {left > 0 ? (
          <PortionChoice
            left={left}
            amountError={fieldErrors('amount')}
            portion={portion}
            change={change}
            isFixed={isUndecided}
          />
        ) : (
          <Text size="sm">{text.nothingLeft}</Text>
        )}
        {left > 0 && (
          <TextInput
            label={text.reason}
            description={text.aboutReason}
            maxLength={255}
            disabled={isUndecided}
            value={reason}
            onChange={(event) => {
              setReason(event.currentTarget.value);
            }}
          />
        )}
        {same && (
          <Alert color="yellow" variant="light">
            {text.again(dateTime(same.createdAt))}
          </Alert>
        )}
        <ErrorAlert error={error} />
        <Group justify="flex-end">
          <LeaveButton action={action} onClick={close} disabled={isPending} />
          {action && (
            <Button type="submit" color="red" loading={isPending} disabled={!(amount > 0) || amount > left}>
              {action}
            </Button>
          )}
        </Group>
      </Stack>
    </form>
  );
}
