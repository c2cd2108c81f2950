import { FileInput, Text } from '@mantine/core';
import { useMutation } from '@tanstack/react-query';
import { useRef, useState } from 'react';
import { maximumBytes, maximumDocuments, typeOfDocument } from '../../../core/disputes/rules/documents.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { DialogButton } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { Textarea } from '../../ui/inputs/fields.tsx';
import { type Dispute, defendDisputeDocument } from './documents.ts';
import { readFile } from './save-file.ts';

const messages = texts(
  {
    defend: 'Enviar defesa',
    about: 'A defesa vai ao provedor uma única vez e não pode ser alterada depois.',
    statement: 'Por que a contestação não procede',
    documents: 'Documentos',
    documentsAbout: 'Até 5 arquivos em PDF, PNG ou JPEG, 10 MB no total.',
    tooMany: 'Escolha no máximo 5 arquivos.',
    tooLarge: 'Os arquivos passam de 10 MB no total.',
    unfit: (name: string) => `${name} não é um PDF, PNG ou JPEG completo.`,
    choose: 'Escolher arquivos',
  },
  {
    defend: 'Send defence',
    about: 'The defence goes to the provider once and cannot be changed afterwards.',
    statement: 'Why the claim is not justified',
    documents: 'Documents',
    documentsAbout: 'Up to 5 files, PDF, PNG or JPEG, 10 MB together.',
    tooMany: 'Choose at most 5 files.',
    tooLarge: 'The files are more than 10 MB together.',
    unfit: (name: string) => `${name} is no whole PDF, PNG or JPEG.`,
    choose: 'Choose files',
  },
);

const maximumStatement = 1_000;

async function findUnfit(files: readonly File[]): Promise<File | undefined> {
  for (const file of files) if (!typeOfDocument(new Uint8Array(await file.arrayBuffer()))) return file;
  return undefined;
}

interface FormProps {
  dispute: Dispute;
  close: () => void;
}

function DefenceForm({ dispute: { id, answering }, close }: FormProps) {
  const text = useTexts(messages);
  const [statement, setStatement] = useState('');
  const [files, setFiles] = useState<File[]>([]);
  const [unfit, setUnfit] = useState<File>();
  const idempotencyKey = useRef(crypto.randomUUID());
  const defend = useServiceMutation(defendDisputeDocument);
  const send = useMutation({
    mutationFn: async () => {
      const documents = await Promise.all(
        files.map(async (file) => ({ name: file.name, content: await readFile(file) })),
      );
      const input = { statement, documents };
      return defend.mutateAsync({ id, input, idempotencyKey: idempotencyKey.current });
    },
    onSuccess: close,
  });
  const isTooLarge = files.reduce((sum, { size }) => sum + size, 0) > maximumBytes;
  const problem =
    (files.length > maximumDocuments && text.tooMany) ||
    (isTooLarge && text.tooLarge) ||
    (unfit && files.includes(unfit) && text.unfit(unfit.name)) ||
    undefined;
  const takesFiles = answering.documents !== 'none';
  return (
    <DialogForm
      submit={text.defend}
      mutation={send}
      isDisabled={problem !== undefined}
      fields={['statement']}
      onCancel={close}
      onSubmit={() => {
        send.mutate();
      }}
    >
      <Text size="sm">{text.about}</Text>
      <Textarea
        label={text.statement}
        required
        autosize
        minRows={4}
        maxLength={maximumStatement}
        data-autofocus
        value={statement}
        onChange={({ currentTarget: { value } }) => {
          idempotencyKey.current = crypto.randomUUID();
          setStatement(value);
        }}
      />
      {takesFiles && (
        <FileInput
          label={text.documents}
          description={text.documentsAbout}
          placeholder={text.choose}
          multiple
          clearable
          required={answering.documents === 'required'}
          accept="application/pdf,image/png,image/jpeg"
          value={files}
          error={problem}
          onChange={(chosen) => {
            idempotencyKey.current = crypto.randomUUID();
            setFiles(chosen);
            void findUnfit(chosen).then(setUnfit);
          }}
        />
      )}
    </DialogForm>
  );
}

export function Defence({ dispute }: { dispute: Dispute }) {
  const text = useTexts(messages);
  return (
    <DialogButton label={text.defend} variant="filled" size="xs">
      {(close) => <DefenceForm dispute={dispute} close={close} />}
    </DialogButton>
  );
}
