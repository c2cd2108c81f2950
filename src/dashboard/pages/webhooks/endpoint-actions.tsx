import { useLocation } from 'wouter';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation } from '../../base/use-service.ts';
import {
  deleteEndpointDocument,
  rotateSecretDocument,
  setEnabledDocument,
  updateEndpointDocument,
} from './base/documents.ts';
import { EndpointForm } from './endpoint-form.tsx';
import type { Endpoint } from './base/endpoint-state.tsx';
import { NewSecret } from './new-secret.tsx';
import { TestButton } from './test-button.tsx';

const messages = texts(
  {
    edit: 'Editar',
    save: 'Salvar',
    saved: 'Endpoint atualizado.',
    enable: 'Ativar',
    aboutEnabling:
      'As entregas na fila são enviadas agora. Eventos ocorridos enquanto o endpoint estava desativado não são: use “Reenviar desde…”.',
    disable: 'Desativar',
    aboutDisabling:
      'Nenhum evento será enviado a este endpoint. As entregas na fila aguardam a reativação; eventos ocorridos até lá só são enviados com “Reenviar desde…”.',
    delete: 'Excluir',
    aboutDeleting:
      'O endpoint deixa de existir, com o seu segredo. As entregas na fila não são enviadas. Isso não pode ser desfeito; para parar por um tempo, desative-o.',
    deleted: 'Endpoint excluído.',
    rotate: 'Rotacionar segredo',
    aboutRotating:
      'O novo segredo é exibido uma única vez. Por 24 horas, cada webhook leva as assinaturas do novo segredo e do antigo; depois disso, o antigo deixa de valer definitivamente.',
  },
  {
    edit: 'Edit',
    save: 'Save',
    saved: 'Endpoint updated.',
    enable: 'Enable',
    aboutEnabling:
      'Queued deliveries are sent now. Events that happened while the endpoint was disabled are not: use “Resend since…”.',
    disable: 'Disable',
    aboutDisabling:
      'No more events are sent to this endpoint. Queued deliveries wait until it is enabled again; events that happen in the meantime are only sent with “Resend since…”.',
    delete: 'Delete',
    aboutDeleting:
      'The endpoint ceases to exist, and its secret with it. Queued deliveries are not sent. This cannot be undone; to stop for a while, disable it.',
    deleted: 'Endpoint deleted.',
    rotate: 'Rotate secret',
    aboutRotating:
      'The new secret is shown only once. For 24 hours each webhook carries the signatures of both the new and the old secret; after that, the old one is no longer valid.',
  },
);

interface EndpointProps {
  endpoint: Endpoint;
}

function EditEndpoint({ endpoint: { id, name, url, events } }: EndpointProps) {
  const text = useTexts(messages);
  const update = useServiceMutation(updateEndpointDocument, text.saved);
  return (
    <DialogButton label={text.edit} size="xs" onOpen={update.reset}>
      {(close) => (
        <EndpointForm
          initial={{ name: name ?? '', url, events }}
          label={text.save}
          mutation={update}
          onCancel={close}
          onSubmit={(input) => {
            update.mutate({ id, input }, { onSuccess: close });
          }}
        />
      )}
    </DialogButton>
  );
}

function EnableOrDisable({ endpoint: { id, enabled } }: EndpointProps) {
  const text = useTexts(messages);
  const setEnabled = useServiceMutation(setEnabledDocument);
  return (
    <ConfirmButton
      key={String(enabled)}
      label={enabled ? text.disable : text.enable}
      color={enabled ? 'red' : 'teal'}
      mutation={setEnabled}
      onConfirm={(close) => {
        setEnabled.mutate({ id, enabled: !enabled }, { onSuccess: close });
      }}
    >
      {enabled ? text.aboutDisabling : text.aboutEnabling}
    </ConfirmButton>
  );
}

function RotateSecret({ endpoint: { id } }: EndpointProps) {
  const text = useTexts(messages);
  const rotate = useServiceMutation(rotateSecretDocument);
  return (
    <>
      <ConfirmButton
        label={text.rotate}
        mutation={rotate}
        onConfirm={(close) => {
          rotate.mutate({ id }, { onSuccess: close });
        }}
      >
        {text.aboutRotating}
      </ConfirmButton>
      <NewSecret secret={rotate.data?.rotateWebhookSecret.secret} onClose={rotate.reset} />
    </>
  );
}

function DeleteEndpoint({ endpoint: { id } }: EndpointProps) {
  const text = useTexts(messages);
  const remove = useServiceMutation(deleteEndpointDocument);
  const [, navigate] = useLocation();
  const removed = () => {
    notify(text.deleted);
    navigate('/webhooks');
  };
  return (
    <ConfirmButton
      label={text.delete}
      color="red"
      mutation={remove}
      onConfirm={() => {
        remove.mutate({ id }, { onSuccess: removed });
      }}
    >
      {text.aboutDeleting}
    </ConfirmButton>
  );
}

/** Requires `webhooks:manage`. */
export const EndpointActions = ({ endpoint }: EndpointProps) => (
  <>
    <TestButton id={endpoint.id} />
    <EditEndpoint endpoint={endpoint} />
    <RotateSecret endpoint={endpoint} />
    <EnableOrDisable endpoint={endpoint} />
    <DeleteEndpoint endpoint={endpoint} />
  </>
);
