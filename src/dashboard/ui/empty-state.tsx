import { Center, Group, Stack, Text } from '@mantine/core';
import type { ReactNode } from 'react';

export function EmptyState({
  title,
  children,
  action,
}: {
  title: string;
  children?: ReactNode;
  action?: ReactNode;
}) {
  return (
    <Center mih={children || action ? 200 : undefined} p="md">
      <Stack align="center" gap="xs" maw={480}>
        <Text fw={600} ta="center">
          {title}
        </Text>
        {children && (
          <Text c="dimmed" size="sm" ta="center">
            {children}
          </Text>
        )}
        {action && (
          <Group mt="xs" justify="center">
            {action}
          </Group>
        )}
      </Stack>
    </Center>
  );
}
