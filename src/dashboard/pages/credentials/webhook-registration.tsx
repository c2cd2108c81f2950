import { Button, Group, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useProviders } from '../../parts/use-provider-name.ts';
import { texts, useLanguage, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { Copyable } from '../../ui/copying/copy-button.tsx';
import { LeaveButton } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { FindingLine } from './check-result.tsx';
import {
  type Credential,
  providerSettingsDocument,
  registerWebhookDocument,
  updateCredentialDocument,
} from './base/documents.ts';
import { SettingFields } from './form/setting-fields.tsx';
import { sentSettings, type SettingValues } from './form/setting-values.ts';

const messages = texts(
  {
    register: 'Cadastrar webhook',
    about:
      'O provedor passa a enviar as notificações desta conta a esta URL, no lugar da que estiver cadastrada. Cadastrar de novo não causa problema.',
    url: 'URL de notificação',
    registered: 'O provedor agora notifica:',
    notRegistered: 'O provedor não tem nenhuma URL cadastrada.',
    save: 'Salvar',
    saved: 'A credencial está completa.',
  },
  {
    register: 'Register webhook',
    about:
      "The provider will send this account's notifications to this URL, replacing the one that it has. Registering it again does no harm.",
    url: 'Notification URL',
    registered: 'The provider now notifies:',
    notRegistered: 'The provider has no URL on record.',
    save: 'Save',
    saved: 'The credential is complete.',
  },
);

interface Props {
  credential: Pick<Credential, 'id' | 'name' | 'provider' | 'notificationUrl' | 'missingSettings'>;
  /** Called once the PSP was asked. */
  onDone: () => void;
  onClose: () => void;
}

/** Registers at the provider, where it has an API for that. */
function Registration({ credential: { id, notificationUrl }, onDone, onClose }: Props) {
  const text = useTexts(messages);
  const register = useServiceMutation(registerWebhookDocument);
  const result = register.data?.registerCredentialWebhook;
  const { outcome, reason, detail, registeredUrl } = result ?? {};
  const action = outcome === 'ok' ? undefined : text.register;
  return (
    <Stack>
      <Text size="sm">{text.about}</Text>
      <Copyable value={notificationUrl} label={text.url} />
      <Stack gap="xs" component="output">
        {outcome && (
          <FindingLine name="Webhook" finding={{ outcome, reason: reason ?? null, detail: detail ?? null }} />
        )}
        {outcome && (
          <Text size="sm" style={{ overflowWrap: 'anywhere' }}>
            {registeredUrl ? `${text.registered} ${registeredUrl}` : text.notRegistered}
          </Text>
        )}
      </Stack>
      <ErrorAlert error={register.error} />
      <Group justify="flex-end">
        <LeaveButton action={action} onClick={onClose} disabled={register.isPending} />
        {action && (
          <Button
            loading={register.isPending}
            onClick={() => {
              register.mutate({ id }, { onSettled: onDone });
            }}
          >
            {action}
          </Button>
        )}
      </Group>
    </Stack>
  );
}

/** Asks for what the provider shows once it has the URL. */
function MissingSettings({ credential, onDone, onClose }: Props) {
  const text = useTexts(messages);
  const { id, provider, missingSettings } = credential;
  const read = useServiceQuery(providerSettingsDocument, {});
  const update = useServiceMutation(updateCredentialDocument);
  const [values, setValues] = useState<SettingValues>({});
  return (
    <QueryResult result={read}>
      {({ providerSettings }) => {
        const all = providerSettings.find((each) => each.provider === provider)?.fields ?? [];
        const fields = all.filter(({ name }) => missingSettings.includes(name));
        const settings = sentSettings(fields, values);
        return (
          <DialogForm
            submit={text.save}
            mutation={update}
            isDisabled={Object.keys(settings).length === 0}
            fields={missingSettings}
            onCancel={onClose}
            onSubmit={() => {
              update.mutate(
                { id, input: { settings } },
                {
                  onSuccess: () => {
                    onClose();
                    notify(text.saved);
                    onDone();
                  },
                },
              );
            }}
          >
            <SettingFields
              settings={fields.map((field) => ({ field, isRequired: true, defaultValue: null }))}
              values={values}
              error={update.error}
              onChange={setValues}
            />
          </DialogForm>
        );
      }}
    </QueryResult>
  );
}

/** Loaded once it is opened: few people ever need it. */
export default function WebhookRegistration({ credential, onDone, onClose }: Props) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const { webhookRegistration, webhookSteps } = useProviders()(credential.provider) ?? {};
  if (webhookRegistration === 'api')
    return <Registration credential={credential} onDone={onDone} onClose={onClose} />;
  return (
    <Stack>
      <Text size="sm">{webhookSteps?.[language]}</Text>
      <Copyable value={credential.notificationUrl} label={text.url} />
      {credential.missingSettings.length > 0 && (
        <MissingSettings credential={credential} onDone={onDone} onClose={onClose} />
      )}
    </Stack>
  );
}
