import { Alert, Button, Text } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { TriangleAlert } from 'lucide-react';
import { useState } from 'react';
import { ServiceError } from '../../../api/service-error.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { notify, useServiceMutation } from '../../../base/use-service.ts';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { Dialog } from '../../../ui/dialog.tsx';
import { useErrorMessage } from '../../../ui/error-alert.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { useDifferenceTitle } from './difference-cells.tsx';
import { type Difference, type Resolution, settleDifferencesDocument } from '../base/documents.ts';
import { ReasonInput, ResolutionChoice } from './settle-fields.tsx';

const messages = texts(
  {
    settle: 'Resolver',
    title: (count: number) => (count === 1 ? 'Resolver 1 divergência' : `Resolver ${count} divergências`),
    settled: (count: number) =>
      count === 1 ? '1 divergência resolvida.' : `${count} divergências resolvidas.`,
    refused: (count: number) =>
      count === 1 ? '1 divergência não foi resolvida' : `${count} divergências não foram resolvidas`,
  },
  {
    settle: 'Settle',
    title: (count: number) => (count === 1 ? 'Settle 1 difference' : `Settle ${count} differences`),
    settled: (count: number) => (count === 1 ? '1 difference settled.' : `${count} differences settled.`),
    refused: (count: number) =>
      count === 1 ? '1 difference was not settled' : `${count} differences were not settled`,
  },
);

/** A difference that could not be settled with the others. */
interface Refusal {
  difference: Difference;
  code: string;
}

function Refusals({ refusals, close }: { refusals: readonly Refusal[]; close: () => void }) {
  const text = useTexts(messages);
  const errorMessage = useErrorMessage();
  const titleOf = useDifferenceTitle();
  if (refusals.length === 0) return null;
  return (
    <Alert
      color="red"
      variant="light"
      role="alert"
      w="100%"
      icon={<TriangleAlert />}
      title={text.refused(refusals.length)}
      withCloseButton
      onClose={close}
    >
      {refusals.map(({ difference, code }) => (
        <Text key={difference.id} size="sm">
          {titleOf(difference)}: {errorMessage(new ServiceError({ reason: code }))}
        </Text>
      ))}
    </Alert>
  );
}

interface FormProps {
  differences: readonly Difference[];
  close: () => void;
  onSettled: (refusals: readonly Refusal[]) => void;
}

function SettleForm({ differences, close, onSettled }: FormProps) {
  const text = useTexts(messages);
  const [resolution, setResolution] = useState<Resolution>('explained');
  const [reason, setReason] = useState('');
  const settle = useServiceMutation(settleDifferencesDocument);
  const fieldError = useFieldErrors(settle.error);
  // An assignment needs a payment for each.
  const resolutions = (differences[0]?.resolutions ?? []).filter(
    (each) => each !== 'assigned' && differences.every((difference) => difference.resolutions.includes(each)),
  );
  const send = () => {
    settle.mutate(
      { input: { ids: differences.map(({ id }) => id), resolution, reason: reason.trim() } },
      {
        onSuccess: ({ settleDifferences }) => {
          const refusals = settleDifferences.flatMap(({ id, code }) => {
            const difference = differences.find((each) => each.id === id);
            return code !== null && difference ? [{ difference, code }] : [];
          });
          close();
          onSettled(refusals);
          if (refusals.length < differences.length)
            notify(text.settled(differences.length - refusals.length));
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
      fields={['reason']}
      isDisabled={!reason.trim()}
    >
      <ResolutionChoice resolutions={resolutions} value={resolution} onChange={setResolution} />
      <ReasonInput value={reason} onChange={setReason} error={fieldError('reason')} />
    </DialogForm>
  );
}

/** Settles those that are chosen for one reason, and says which could not be. */
export function SettleTogether({
  differences,
  clear,
}: {
  differences: readonly Difference[];
  clear: () => void;
}) {
  const text = useTexts(messages);
  const [isOpen, { open, close }] = useDisclosure(false);
  const [refusals, setRefusals] = useState<readonly Refusal[]>([]);
  // Frozen, so that a refetch changes nothing while the person decides.
  const [wanted, setWanted] = useState<readonly Difference[]>([]);
  return (
    <>
      {differences.length > 0 && (
        <Button
          onClick={() => {
            setWanted(differences);
            setRefusals([]);
            open();
          }}
        >
          {text.title(differences.length)}
        </Button>
      )}
      <Dialog opened={isOpen} onClose={close} title={text.title(wanted.length)}>
        <SettleForm
          differences={wanted}
          close={close}
          onSettled={(refused) => {
            setRefusals(refused);
            clear();
          }}
        />
      </Dialog>
      <Refusals
        refusals={refusals}
        close={() => {
          setRefusals([]);
        }}
      />
    </>
  );
}
