import { useState } from 'react';
import { isJsonObject, type JsonObject } from '../../../../core/base/json/json-object.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { useServiceMutation } from '../../../base/use-service.ts';
import { DialogButton } from '../../../ui/dialog.tsx';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { Textarea } from '../../../ui/inputs/fields.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { type Payment, updatePaymentDocument } from '../base/documents.ts';

const messages = texts(
  {
    edit: 'Editar detalhes',
    description: 'Descrição',
    descriptionAbout: 'Muda aqui e na página de pagamento. O que o banco do pagador mostra continua igual.',
    metadata: 'Metadados',
    metadataAbout: 'Um objeto JSON, que substitui o atual.',
    notJson: 'Precisa ser um objeto JSON, como {"pedido": 1042}.',
    save: 'Salvar',
    saved: 'Detalhes salvos',
  },
  {
    edit: 'Edit details',
    description: 'Description',
    descriptionAbout: 'Changes here and on the checkout page. What the payer’s bank shows stays as it is.',
    metadata: 'Metadata',
    metadataAbout: 'A JSON object, which replaces the present one.',
    notJson: 'Must be a JSON object, such as {"order": 1042}.',
    save: 'Save',
    saved: 'Details saved',
  },
);

const textOf = ({ metadata }: Payment): string => (metadata ? JSON.stringify(metadata, null, 2) : '');

/** Undefined for a text that is no JSON object; an empty one stands for an empty object. */
function metadataOf(text: string): JsonObject | undefined {
  try {
    const value: unknown = JSON.parse(text.trim() || '{}');
    return isJsonObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}

/** Changes the revision that the person has seen, so that it undoes nobody else's. */
function DetailsForm({ payment, close }: { payment: Payment; close: () => void }) {
  const text = useTexts(messages);
  const update = useServiceMutation(updatePaymentDocument, text.saved);
  const fieldError = useFieldErrors(update.error);
  const [seen] = useState(payment);
  const [description, setDescription] = useState(seen.description ?? '');
  const [metadataText, setMetadataText] = useState(textOf(seen));
  const metadata = metadataOf(metadataText);
  // The form of its terms changes it at the provider too.
  const hasFormOfTerms = seen.due !== null && seen.status === 'pending';
  const input = {
    ...(description !== (seen.description ?? '') && { description }),
    ...(metadataText !== textOf(seen) && { metadata }),
  };
  const save = () => {
    update.mutate({ id: seen.id, input: { revision: seen.revision ?? 0, ...input } }, { onSuccess: close });
  };
  return (
    <DialogForm
      submit={text.save}
      mutation={update}
      onSubmit={save}
      onCancel={close}
      isDisabled={!metadata || Object.keys(input).length === 0}
      fields={['description', 'metadata']}
    >
      {!hasFormOfTerms && (
        <Textarea
          label={text.description}
          description={text.descriptionAbout}
          autosize
          minRows={2}
          error={fieldError('description')}
          value={description}
          onChange={(event) => {
            setDescription(event.currentTarget.value);
          }}
        />
      )}
      <Textarea
        label={text.metadata}
        description={text.metadataAbout}
        autosize
        minRows={4}
        maxRows={16}
        spellCheck={false}
        error={metadata ? fieldError('metadata') : text.notJson}
        value={metadataText}
        onChange={(event) => {
          setMetadataText(event.currentTarget.value);
        }}
      />
    </DialogForm>
  );
}

export function EditDetails({ payment }: { payment: Payment }) {
  const text = useTexts(messages);
  return (
    <DialogButton label={text.edit} size="compact-xs">
      {(close) => <DetailsForm payment={payment} close={close} />}
    </DialogButton>
  );
}
