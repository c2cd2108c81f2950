import { Badge, ColorSwatch, Group, Text } from '@mantine/core';
import { useProviderName } from '../../../parts/use-provider-name.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { type Accounts, colorOf } from './accounts.ts';

const messages = texts({ disabled: 'Desativada' }, { disabled: 'Disabled' });

interface AccountProps {
  id: string;
  accounts: Accounts;
}

/** A long name keeps its color beside its first line. */
export function ColoredName({ id, accounts }: AccountProps) {
  const account = accounts.get(id);
  return (
    <Group component="span" display="inline-flex" gap={6} wrap="nowrap" align="baseline">
      {account && <ColorSwatch component="span" color={colorOf(id, accounts)} size={10} withShadow={false} />}
      <span>{account?.name ?? id}</span>
    </Group>
  );
}

export function AccountName({ id, accounts }: AccountProps) {
  const text = useTexts(messages);
  const providerName = useProviderName();
  const account = accounts.get(id);
  return (
    <Group gap={6} component="span" display="inline-flex">
      <Text span size="sm" fw={600}>
        <ColoredName id={id} accounts={accounts} />
      </Text>
      <Text span size="sm" c="dimmed">
        {account && providerName(account.provider)}
      </Text>
      {account && !account.enabled && (
        <Badge size="sm" color="red" variant="light" tt="none">
          {text.disabled}
        </Badge>
      )}
    </Group>
  );
}
