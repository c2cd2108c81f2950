import { Button, Group, Stack } from '@mantine/core';
import { useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import {
  checkCredentialDocument,
  type Credential,
  credentialsDocument,
  setCredentialEnabledDocument,
  setDefaultCredentialDocument,
} from './base/documents.ts';
import { DefaultFallbacks } from './default-fallbacks.tsx';
import { CredentialFees } from './credential-fees.tsx';
import { ChangeCredential } from './form/change-credential.tsx';
import { RegisterWebhook } from './register-webhook.tsx';
import { RemoveCredential, RestoreCredential } from './remove-credential.tsx';
import { credentialTexts } from './texts.ts';

function EnabledButton({ credential: { id, name, enabled, isDefault } }: { credential: Credential }) {
  const text = useTexts(credentialTexts);
  const change = useServiceMutation(setCredentialEnabledDocument);
  const set = (to: boolean, onDone?: () => void) => {
    change.mutate(
      { id, enabled: to },
      {
        onSuccess: () => {
          onDone?.();
          notify(to ? text.enableDone : text.disableDone);
        },
      },
    );
  };
  if (!enabled) {
    return (
      <>
        <Button
          variant="default"
          size="xs"
          loading={change.isPending}
          aria-label={`${text.enable}: ${name}`}
          onClick={() => {
            set(true);
          }}
        >
          {text.enable}
        </Button>
        <ErrorAlert error={change.error} />
      </>
    );
  }
  return (
    <ConfirmButton
      label={text.disable}
      subject={name}
      color="red"
      variant="subtle"
      mutation={change}
      onConfirm={(close) => {
        set(false, close);
      }}
    >
      {text.disableAbout} {isDefault && <b>{text.disableDefault}</b>}
    </ConfirmButton>
  );
}

function DefaultButton({ credential: { id, name } }: { credential: Credential }) {
  const text = useTexts(credentialTexts);
  const before = useServiceQuery(credentialsDocument, {}).data?.credentials.find((each) => each.isDefault);
  const makeDefault = useServiceMutation(setDefaultCredentialDocument, text.madeDefault);
  return (
    <ConfirmButton
      label={text.makeDefault}
      subject={name}
      mutation={makeDefault}
      onConfirm={(close) => {
        makeDefault.mutate({ id }, { onSuccess: close });
      }}
    >
      {text.makeDefaultAbout(before?.name)}
    </ConfirmButton>
  );
}

/** Only those who may manage credentials see it. */
export function CredentialActions({ credential }: { credential: Credential }) {
  const text = useTexts(credentialTexts);
  const { id, name, enabled, isDefault, archivedAt } = credential;
  const check = useServiceMutation(checkCredentialDocument);
  const runCheck = () => {
    check.mutate({ id });
  };
  if (archivedAt) {
    return (
      <Group gap="xs">
        <RestoreCredential credential={credential} />
        <ChangeCredential credential={credential} />
      </Group>
    );
  }
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          loading={check.isPending}
          aria-label={`${text.check}: ${name}`}
          onClick={runCheck}
        >
          {text.check}
        </Button>
        <RegisterWebhook credential={credential} onDone={runCheck} />
        {enabled && !isDefault && <DefaultButton credential={credential} />}
        {isDefault && <DefaultFallbacks />}
        <ChangeCredential credential={credential} />
        <CredentialFees credential={credential} />
        <EnabledButton credential={credential} />
        <RemoveCredential credential={credential} />
      </Group>
      <ErrorAlert error={check.error} />
    </Stack>
  );
}
