import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { notify, useServiceMutation } from '../../shell/use-service.ts';
import { rotateSecretDocument, setEnabledDocument, updateEndpointDocument } from './documents.ts';
import { EndpointForm } from './endpoint-form.tsx';
import type { Endpoint } from './endpoint-state.tsx';
import { NewSecret } from './new-secret.tsx';

const said = texts(
  {
    edit: 'Editar',
    save: 'Salvar',
    saved: 'Endpoint salvo.',
    enable: 'Ativar',
    aboutEnabling:
      'O que esperava envio sai agora. O que aconteceu enquanto estava desativado não: para isso há “Reenviar desde…”.',
    disable: 'Desativar',
    aboutDisabling:
      'Nada mais é enviado a ele. O que está na fila espera até que seja ativado de novo; o que acontecer até lá só é enviado com “Reenviar desde…”.',
    rotate: 'Trocar segredo',
    aboutRotating:
      'Um novo segredo é criado e mostrado uma única vez. Por 24 horas cada webhook leva as duas assinaturas, a do segredo novo e a do antigo; depois o antigo deixa de valer e não volta.',
  },
  {
    edit: 'Edit',
    save: 'Save',
    saved: 'The endpoint is saved.',
    enable: 'Enable',
    aboutEnabling:
      'What waited is sent now. What happened while it was disabled is not: “Send everything since…” does that.',
    disable: 'Disable',
    aboutDisabling:
      'Nothing more is sent to it. What is queued waits until it is enabled again; what happens until then is sent by “Send everything since…” only.',
    rotate: 'Rotate the secret',
    aboutRotating:
      'A new secret is made and shown once. For 24 hours each webhook carries both signatures, of the new secret and of the old one; then the old one ends for good.',
  },
);

interface OfEndpoint {
  endpoint: Endpoint;
}

function EditEndpoint({ endpoint: { id, url, events } }: OfEndpoint) {
  const text = useTexts(said);
  const [isOpen, { open, close }] = useDisclosure(false);
  const update = useServiceMutation(updateEndpointDocument);
  const saved = () => {
    close();
    notify(text.saved);
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        onClick={() => {
          update.reset();
          open();
        }}
      >
        {text.edit}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text.edit}>
        <EndpointForm
          initial={{ url, events }}
          label={text.save}
          mutation={update}
          onSubmit={(input) => {
            update.mutate({ id, input }, { onSuccess: saved });
          }}
        />
      </Dialog>
    </>
  );
}

function EnableOrDisable({ endpoint: { id, enabled } }: OfEndpoint) {
  const text = useTexts(said);
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

function RotateSecret({ endpoint: { id } }: OfEndpoint) {
  const text = useTexts(said);
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

/** For those who may manage endpoints. */
export const EndpointActions = ({ endpoint }: OfEndpoint) => (
  <>
    <EditEndpoint endpoint={endpoint} />
    <RotateSecret endpoint={endpoint} />
    <EnableOrDisable endpoint={endpoint} />
  </>
);
