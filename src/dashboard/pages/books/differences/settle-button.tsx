import { Text } from '@mantine/core';
import { useState } from 'react';
import { texts, useTexts } from '../../../base/language.tsx';
import { useServiceMutation } from '../../../base/use-service.ts';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { DialogButton } from '../../../ui/dialog.tsx';
import { kindTexts } from './difference-texts.ts';
import {
  type Difference,
  reopenDifferenceDocument,
  type Resolution,
  settleDifferenceDocument,
} from '../base/documents.ts';
import { PaymentChoice } from './payment-choice.tsx';
import { ReasonInput, ResolutionChoice } from './settle-fields.tsx';

const messages = texts(
  {
    settle: 'Resolver',
    settled: 'Divergência resolvida.',
    reopen: 'Reabrir',
    reopened: 'Divergência reaberta.',
  },
  {
    settle: 'Settle',
    settled: 'Difference settled.',
    reopen: 'Reopen',
    reopened: 'Difference reopened.',
  },
);

interface FormProps {
  difference: Difference;
  close: () => void;
}

function SettleForm({ difference, close }: FormProps) {
  const text = useTexts(messages);
  const { about } = useTexts(kindTexts)[difference.kind];
  const { id, resolutions } = difference;
  const [resolution, setResolution] = useState<Resolution>('explained');
  const [paymentId, setPaymentId] = useState<string | null>(null);
  const [reason, setReason] = useState('');
  const settle = useServiceMutation(settleDifferenceDocument, text.settled);
  const fieldError = useFieldErrors(settle.error);
  const isAssigned = resolution === 'assigned';
  const send = () => {
    const input = { id, resolution, reason: reason.trim(), ...(isAssigned && { paymentId }) };
    settle.mutate({ input }, { onSuccess: close });
  };
  return (
    <DialogForm
      submit={text.settle}
      mutation={settle}
      onSubmit={send}
      onCancel={close}
      fields={['reason']}
      isDisabled={!reason.trim() || (isAssigned && !paymentId)}
    >
      <Text size="sm">{about}</Text>
      <ResolutionChoice resolutions={resolutions} value={resolution} onChange={setResolution} />
      {isAssigned && <PaymentChoice amount={difference.amount} value={paymentId} onChange={setPaymentId} />}
      <ReasonInput value={reason} onChange={setReason} error={fieldError('reason')} />
    </DialogForm>
  );
}

function ReopenForm({ difference: { id }, close }: FormProps) {
  const text = useTexts(messages);
  const [reason, setReason] = useState('');
  const reopen = useServiceMutation(reopenDifferenceDocument, text.reopened);
  const fieldError = useFieldErrors(reopen.error);
  const send = () => {
    reopen.mutate({ id, reason: reason.trim() }, { onSuccess: close });
  };
  return (
    <DialogForm
      submit={text.reopen}
      mutation={reopen}
      onSubmit={send}
      onCancel={close}
      fields={['reason']}
      isDisabled={!reason.trim()}
    >
      <ReasonInput value={reason} onChange={setReason} error={fieldError('reason')} />
    </DialogForm>
  );
}

/** Settles a difference that is open, or reopens one that is settled. */
export function SettleButton({ difference, title }: { difference: Difference; title: string }) {
  const text = useTexts(messages);
  const isSettled = difference.state === 'settled';
  const label = isSettled ? text.reopen : text.settle;
  const Form = isSettled ? ReopenForm : SettleForm;
  return (
    <DialogButton label={label} subject={title} size="compact-sm">
      {(close) => <Form difference={difference} close={close} />}
    </DialogButton>
  );
}
