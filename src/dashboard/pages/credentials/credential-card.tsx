import { Badge, Button, Code, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { Copyable } from '../../ui/copy-button.tsx';
import { useProviderName } from '../../parts/use-provider-name.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { useTexts } from '../../shell/language.tsx';
import { notify, useServiceMutation } from '../../shell/use-service.ts';
import { useWorkplace } from '../../shell/use-workplace.ts';
import { ChangeCredential } from './change-credential.tsx';
import {
  checkCredentialDocument,
  type Credential,
  setCredentialEnabledDocument,
  setDefaultCredentialDocument,
} from './documents.ts';
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

function Actions({ credential }: { credential: Credential }) {
  const text = useTexts(credentialTexts);
  const { id, name, enabled, isDefault } = credential;
  const check = useServiceMutation(checkCredentialDocument);
  const makeDefault = useServiceMutation(setDefaultCredentialDocument);
  const checked = check.data?.checkCredential;
  const notifyDone = () => {
    notify(text.madeDefault);
  };
  return (
    <Stack gap="xs">
      <Group gap="xs">
        <Button
          variant="default"
          size="xs"
          loading={check.isPending}
          aria-label={`${text.check}: ${name}`}
          onClick={() => {
            check.mutate({ id });
          }}
        >
          {text.check}
        </Button>
        {enabled && !isDefault && (
          <Button
            variant="default"
            size="xs"
            loading={makeDefault.isPending}
            aria-label={`${text.makeDefault}: ${name}`}
            onClick={() => {
              makeDefault.mutate({ id }, { onSuccess: notifyDone });
            }}
          >
            {text.makeDefault}
          </Button>
        )}
        <ChangeCredential credential={credential} />
        <EnabledButton credential={credential} />
      </Group>
      <Text size="sm" component="output" c={checked?.ok ? 'teal' : undefined}>
        {checked && (checked.ok ? `✓ ${text.ok}` : `${text.problem} ${checked.problem ?? ''}`)}
      </Text>
      <ErrorAlert error={check.error ?? makeDefault.error} />
    </Stack>
  );
}

export function CredentialCard({ credential }: { credential: Credential }) {
  const text = useTexts(credentialTexts);
  const providerName = useProviderName();
  const { may } = useWorkplace();
  const mayManage = may('credentials:manage');
  const { provider, name, enabled, isDefault, notificationUrl } = credential;
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Stack gap={0}>
            <Title order={2} size="h4">
              {name}
            </Title>
            <Text size="sm" c="dimmed">
              {providerName(provider)}
            </Text>
          </Stack>
          <Group gap="xs">
            {isDefault && (
              <Badge variant="light" tt="none">
                {text.isDefault}
              </Badge>
            )}
            <Badge variant="dot" color={enabled ? 'teal' : 'gray'} tt="none">
              {enabled ? text.enabled : text.disabled}
            </Badge>
          </Group>
        </Group>
        {provider !== 'sandbox' && (
          <Stack gap={2}>
            <Text size="xs" c="dimmed">
              {text.notificationUrl}. {text.notificationAbout}
            </Text>
            {mayManage ? (
              <Copyable value={notificationUrl} label={`${text.notificationUrl}: ${name}`} />
            ) : (
              <Code style={{ overflowWrap: 'anywhere' }}>{notificationUrl}</Code>
            )}
          </Stack>
        )}
        {mayManage && <Actions credential={credential} />}
      </Stack>
    </Paper>
  );
}
