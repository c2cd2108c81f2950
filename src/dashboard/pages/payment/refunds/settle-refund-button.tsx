import { Alert, Radio, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { DialogButton } from '../../../ui/dialog.tsx';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { texts, useFormats, useTexts } from '../../../base/language.tsx';
import { notify, useServiceMutation } from '../../../base/use-service.ts';
import { useWorkplace } from '../../../base/use-workplace.ts';
import { type Refund, settleRefundDocument } from '../base/documents.ts';

const messages = texts(
  {
    settle: 'Registrar resultado',
    about:
      'Procure este estorno no painel do provedor e registre o que consta lá. Isso não pode ser desfeito.',
    outcome: 'O que consta no painel do provedor',
    made: 'O estorno foi feito',
    notMade: 'O estorno não foi feito',
    madeMeans: (amount: string) =>
      `O valor de ${amount} conta como devolvido ao pagador. Se o estorno não tiver sido feito, o pagador fica sem o dinheiro.`,
    notMadeMeans: (amount: string) =>
      `O estorno falha, e o valor de ${amount} pode ser estornado de novo. Se o provedor ainda o fizer, o pagador recebe duas vezes: certifique-se de que ele não será mais feito.`,
    completed: 'Estorno registrado como concluído.',
    failed: 'Estorno registrado como não realizado.',
  },
  {
    settle: 'Record outcome',
    about: 'Look for this refund in the provider’s panel and record what it says. This cannot be undone.',
    outcome: 'What the provider’s panel says',
    made: 'The refund was made',
    notMade: 'The refund was not made',
    madeMeans: (amount: string) =>
      `${amount} will count as returned to the payer. If the refund was not made, the payer is left without the money.`,
    notMadeMeans: (amount: string) =>
      `The refund fails, and ${amount} can be refunded again. If the provider still makes it, the payer is paid twice: be sure that it will not be made any more.`,
    completed: 'Refund recorded as completed.',
    failed: 'Refund recorded as failed.',
  },
);

type Seen = 'made' | 'notMade';

function SettleRefundForm({ refund: { id, amount }, close }: { refund: Refund; close: () => void }) {
  const text = useTexts(messages);
  const { money } = useFormats();
  // Neither is preselected: a wrong one moves money twice, or never.
  const [seen, setSeen] = useState<Seen>();
  const settle = useServiceMutation(settleRefundDocument);
  const send = () => {
    settle.mutate(
      { refundId: id, isMade: seen === 'made' },
      {
        onSuccess: ({ settleRefund: { status } }) => {
          close();
          notify(status === 'completed' ? text.completed : text.failed);
        },
      },
    );
  };
  return (
    <DialogForm
      submit={text.settle}
      mutation={settle}
      onSubmit={send}
      onCancel={close}
      isDisabled={seen === undefined}
    >
      <Text size="sm">{text.about}</Text>
      <Radio.Group
        label={text.outcome}
        value={seen ?? null}
        onChange={(value) => {
          settle.reset();
          setSeen(value === 'made' ? 'made' : 'notMade');
        }}
      >
        <Stack gap="xs" mt="xs">
          <Radio value="made" label={text.made} disabled={settle.isPending} />
          <Radio value="notMade" label={text.notMade} disabled={settle.isPending} />
        </Stack>
      </Radio.Group>
      {seen && (
        <Alert color="yellow" variant="light">
          {(seen === 'made' ? text.madeMeans : text.notMadeMeans)(money(amount))}
        </Alert>
      )}
    </DialogForm>
  );
}

/** Lets an owner say what became of a refund that the provider does not decide. */
export function SettleRefundButton({ refund }: { refund: Refund }) {
  const text = useTexts(messages);
  const { money } = useFormats();
  const { may } = useWorkplace();
  const isStuck = refund.status === 'pending' && refund.pendingReason === 'no_outcome_from_provider';
  return (
    <DialogButton
      label={text.settle}
      subject={money(refund.amount)}
      size="xs"
      mt="xs"
      hasButton={isStuck && may('refunds:settle')}
    >
      {(close) => <SettleRefundForm refund={refund} close={close} />}
    </DialogButton>
  );
}
