import { Anchor, Group, Paper, Stack, Text, Title } from '@mantine/core';
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

interface SectionProps {
  title: string;
  /** What its heading says, where that is not the title. */
  heading?: ReactNode;
  about?: ReactNode;
  /** Stands at the right of the heading. */
  aside?: ReactNode;
  children: ReactNode;
}

/** A part of a page under a heading of its own. */
export function Section({ title, heading = title, about, aside, children }: SectionProps) {
  const shown = (
    <Title order={2} size="h4">
      {heading}
    </Title>
  );
  return (
    <Stack gap="sm" component="section" aria-label={title}>
      {aside ? (
        <Group justify="space-between">
          {shown}
          {aside}
        </Group>
      ) : (
        shown
      )}
      {about && (
        <Text size="sm" c="dimmed">
          {about}
        </Text>
      )}
      {children}
    </Stack>
  );
}

export const BorderedSection = (props: SectionProps) => (
  <Paper withBorder p="lg">
    <Section {...props} />
  </Paper>
);
