import { Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { Copyable } from '../../ui/copying/copy-button.tsx';
import { useProviderName, useProviders } from '../../parts/use-provider-name.ts';
import { useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';
import { AccountState } from './account-state.tsx';
import { LastCheck } from './check-result.tsx';
import { CredentialActions } from './credential-actions.tsx';
import type { Credential } from './base/documents.ts';
import { credentialTexts } from './texts.ts';

export function CredentialCard({ credential }: { credential: Credential }) {
  const text = useTexts(credentialTexts);
  const providerName = useProviderName();
  const kind = useProviders()(credential.provider)?.webhookRegistration;
  const { may } = useWorkplace();
  const mayManage = may('credentials:manage');
  const { provider, preset, name, enabled, isDefault, archivedAt, notificationUrl } = credential;
  return (
    <Paper withBorder p="md" component="article" aria-label={name}>
      <Stack gap="sm">
        <Group justify="space-between" gap="xs">
          <Stack gap={0}>
            <Title order={2} size="h4">
              {name}
            </Title>
            <Text size="sm" c="dimmed">
              {providerName(provider, preset)}
            </Text>
          </Stack>
          <Group gap="xs">
            {isDefault && (
              <Badge variant="light" tt="none">
                {text.isDefault}
              </Badge>
            )}
            <Badge variant="dot" color={enabled ? 'teal' : 'gray'} tt="none">
              {archivedAt ? text.archived : enabled ? text.enabled : text.disabled}
            </Badge>
          </Group>
        </Group>
        <AccountState credential={credential} />
        {provider !== 'sandbox' && <LastCheck lastCheck={credential.lastCheck} />}
        {mayManage && kind && kind !== 'none' && (
          <Stack gap={2}>
            <Text size="xs" c="dimmed">
              {text.notificationUrl}. {text.notificationAbouts[kind]}
            </Text>
            <Copyable value={notificationUrl} label={`${text.notificationUrl}: ${name}`} />
          </Stack>
        )}
        {mayManage && <CredentialActions credential={credential} />}
      </Stack>
    </Paper>
  );
}
