import { Center, Group, Paper, Stack, Text, Title } from '@mantine/core';
import { type ReactNode, useEffect } from 'react';
import { Preferences } from '../ui/preferences.tsx';

export function Card({ title, about, children }: { title: string; about: ReactNode; children: ReactNode }) {
  useEffect(() => {
    document.title = `${title} · Pix`;
  }, [title]);
  return (
    <Center component="main" mih="100dvh" p="md">
      <Stack w="100%" maw={400}>
        <Stack gap={4} align="center">
          <img src={new URL('../icon.svg', import.meta.url).href} width={48} height={48} alt="" />
          <Title order={1} size="h2" ta="center">
            {title}
          </Title>
          <Text c="dimmed" ta="center">
            {about}
          </Text>
        </Stack>
        <Paper withBorder p="lg">
          {children}
        </Paper>
        <Group justify="center">
          <Preferences />
        </Group>
      </Stack>
    </Center>
  );
}
