import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';

interface PageProps {
  title: string;
  /** Stands beside the title, such as a status. */
  mark?: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
  back?: { to: string; label: string };
  /** Stands across from `back`. */
  aside?: ReactNode;
  children: ReactNode;
}

export function Page({ title, mark, about, actions, back, aside, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Pix`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Stack gap="xs">
        {back && (
          <Group justify="space-between">
            <Anchor component={Link} href={back.to} size="sm">
              <Group gap={4} component="span" display="inline-flex">
                <ArrowLeft size={14} aria-hidden /> {back.label}
              </Group>
            </Anchor>
            {aside}
          </Group>
        )}
        <Group justify="space-between" align="flex-start" gap="md">
          <Stack gap={4} flex="1 1 280px">
            <Group gap="sm">
              <Title order={1} size="h2" title={title} lineClamp={2} style={{ overflowWrap: 'anywhere' }}>
                {title}
              </Title>
              {mark}
            </Group>
            {about && (
              <Text c="dimmed" maw={720}>
                {about}
              </Text>
            )}
          </Stack>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
      </Stack>
      {children}
    </Stack>
  );
}
