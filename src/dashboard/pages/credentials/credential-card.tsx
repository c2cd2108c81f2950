import { Anchor, Badge, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { upperFirst } from '@mantine/hooks';
import { Link } from 'wouter';
import { conditionPath, conditionSentence } from '../../../core/health/rules/condition-words.ts';
import { Copyable } from '../../ui/copying/copy-button.tsx';
import { DiversionControl } from '../../parts/diversion/diversion-control.tsx';
import { useFailureOf } from '../../parts/use-attention.ts';
import { useFeesText } from '../../parts/fees/use-fees-text.ts';
import { useCredentialTexts, useProviderName, useProviders } from '../../parts/use-provider-name.ts';
import { useFormats, useLanguage, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { WeekLink } from '../../ui/charts/week-link.tsx';
import { AccountState } from './account-state.tsx';
import { LastCheck } from './check-result.tsx';
import { CredentialActions } from './credential-actions.tsx';
import { callDaysDocument, type Credential, credentialsDocument } from './base/documents.ts';
import { credentialTexts } from './texts.ts';

export function CredentialCard({ credential }: { credential: Credential }) {
  const text = useTexts(credentialTexts);
  const providerName = useProviderName();
  const kind = useProviders()(credential.provider)?.webhookRegistration;
  const { may } = useWorkplace();
  const mayManage = may('credentials:manage');
  const { language } = useLanguage();
  const formats = useFormats();
  const { id, provider, preset, name, enabled, isDefault, archivedAt, notificationUrl } = credential;
  const { fallbackPosition, divertedToId, divertedAt, missingSettings } = credential;
  const { settingName } = useCredentialTexts();
  const feesText = useFeesText();
  const failure = useFailureOf()(id);
  const health = useServiceQuery(callDaysDocument, {}).data?.providerHealth;
  const days = health?.find(({ credentialId }) => credentialId === id)?.days ?? [];
  const target = useServiceQuery(credentialsDocument, {}).data?.credentials.find(
    (each) => each.id === divertedToId,
  );
  const status = archivedAt
    ? 'archived'
    : failure
      ? 'failing'
      : !enabled
        ? 'disabled'
        : missingSettings.length > 0
          ? 'incomplete'
          : 'enabled';
  const color = { archived: 'gray', failing: 'red', disabled: 'gray', incomplete: 'orange', enabled: 'teal' }[
    status
  ];
  const missing = missingSettings.map((setting) => settingName(provider, setting) ?? setting).join(', ');
  const diversion = target && divertedAt !== null ? { to: target.name, since: divertedAt } : null;
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
            {fallbackPosition !== null && (
              <Badge variant="light" color="gray" tt="none">
                {text.fallback(fallbackPosition)}
              </Badge>
            )}
            <Badge variant="dot" color={color} tt="none">
              {text[status]}
            </Badge>
          </Group>
        </Group>
        {failure && (
          <Anchor component={Link} href={conditionPath(failure)} size="sm" c="red">
            {upperFirst(conditionSentence(failure, language, formats))}
          </Anchor>
        )}
        {(failure ?? diversion) && <DiversionControl credential={credential} diversion={diversion} />}
        {missing && <Text size="sm">{text.missing(missing)}</Text>}
        {days.some(({ count }) => count > 0) && (
          <Group gap="xs">
            <WeekLink days={days} name={`${text.calls}: ${name}`} href={`/health/${id}?window=week`} />
            <Text size="xs" c="dimmed" aria-hidden>
              {text.calls}
            </Text>
          </Group>
        )}
        {credential.fees && (
          <Text size="sm" c="dimmed">
            {text.fees(feesText(credential.fees))}
          </Text>
        )}
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
