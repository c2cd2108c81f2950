import { Button, Group, Stack, Text } from '@mantine/core';
import { useEffect } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { Loading } from '../../ui/loading.tsx';
import { CheckResult } from './check-result.tsx';
import { checkCredentialDocument, credentialsDocument } from './base/documents.ts';
import { RegisterWebhook } from './register-webhook.tsx';

const messages = texts(
  {
    saved: 'A credencial foi salva e está sendo testada no provedor.',
    done: 'Concluir',
    webhook: 'Cadastre o webhook para que o provedor avise dos pagamentos na hora.',
  },
  {
    saved: 'The credential is saved, and is being checked at the provider.',
    done: 'Done',
    webhook: 'Register the webhook, so that the provider reports payments at once.',
  },
);

/** Shows what the provider says of a new credential, and the next step. */
export function AddedCredential({ id, onDone }: { id: string; onDone: () => void }) {
  const text = useTexts(messages);
  const { mutate, data, error, isPending } = useServiceMutation(checkCredentialDocument);
  const credential = useServiceQuery(credentialsDocument, {}).data?.credentials.find(
    (each) => each.id === id,
  );
  useEffect(() => {
    mutate({ id });
  }, [mutate, id]);
  const check = data?.checkCredential;
  const webhook = check?.stages.find(({ stage }) => stage === 'webhook');
  return (
    <Stack>
      {isPending && (
        <>
          <Text size="sm">{text.saved}</Text>
          <Loading />
        </>
      )}
      <output>{check && <CheckResult check={check} />}</output>
      <ErrorAlert error={error} />
      {credential && webhook?.outcome === 'failed' && <Text size="sm">{text.webhook}</Text>}
      <Group justify="flex-end">
        {credential && webhook?.outcome === 'failed' && (
          <RegisterWebhook
            credential={credential}
            onDone={() => {
              mutate({ id });
            }}
          />
        )}
        <Button onClick={onDone}>{text.done}</Button>
      </Group>
    </Stack>
  );
}
