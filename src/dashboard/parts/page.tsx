import { Anchor, Group, Stack, Text, Title } from '@mantine/core';
import { ArrowLeft } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { Link } from 'wouter';

interface PageProps {
  title: string;
  /** One sentence on what the page is for. */
  about?: ReactNode;
  actions?: ReactNode;
  back?: { to: string; label: string };
  children: ReactNode;
}

export function Page({ title, about, actions, back, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Pix`;
  }, [title]);
  return (
    <Stack gap="lg">
      <Stack gap={4}>
        {back && (
          <Anchor component={Link} href={back.to} size="sm">
            <Group gap={4} component="span" display="inline-flex">
              <ArrowLeft size={14} aria-hidden /> {back.label}
            </Group>
          </Anchor>
        )}
        <Group justify="space-between" gap="md">
          <Title order={1} size="h2" style={{ overflowWrap: 'anywhere' }}>
            {title}
          </Title>
          {actions && <Group gap="xs">{actions}</Group>}
        </Group>
        {about && (
          <Text c="dimmed" maw={720}>
            {about}
          </Text>
        )}
      </Stack>
      {children}
    </Stack>
  );
}
