import { Badge, ColorSwatch, Group, Text } from '@mantine/core';
import { useProviderName } from '../../../parts/use-provider-name.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { type Accounts, colorOf } from './accounts.ts';

const messages = texts({ disabled: 'Desativada' }, { disabled: 'Disabled' });

export function AccountName({ id, accounts }: { id: string; accounts: Accounts }) {
  const text = useTexts(messages);
  const providerName = useProviderName();
  const account = accounts.get(id);
  return (
    <Group gap={6} component="span" display="inline-flex">
      {account && <ColorSwatch component="span" color={colorOf(id, accounts)} size={10} withShadow={false} />}
      <Text span size="sm" fw={600}>
        {account?.name ?? id}
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
