import { Anchor, Code, Group } from '@mantine/core';
import { Link } from 'wouter';
import { CopyIcon } from '../../ui/copying/copy-button.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { useWorkplace, workplacePath } from '../../shell/use-workplace.ts';
import type { AuditEntry } from './documents.ts';

const messages = texts(
  { payment: 'Ver pagamento', webhook_endpoint: 'Ver endpoint', id: 'ID' },
  { payment: 'View payment', webhook_endpoint: 'View endpoint', id: 'ID' },
);

const places: Readonly<Record<string, string>> = {
  payment: 'payments',
  payer: 'payments',
  webhook_endpoint: 'webhooks',
};

/** Links to the subject's page, if it has one. */
export function Subject({ entry: { action, subject, details } }: { entry: AuditEntry }) {
  const text = useTexts(messages);
  const { organizationId } = useWorkplace();
  const kind = action.split('.')[0] ?? '';
  const place = places[kind];
  const mode = details?.['mode'];
  if (!subject) return null;
  if (place && (mode === 'test' || mode === 'live')) {
    return (
      <Anchor
        component={Link}
        href={`~/dashboard${workplacePath({ organizationId, mode })}/${place}/${subject}`}
        size="xs"
      >
        {kind === 'webhook_endpoint' ? text.webhook_endpoint : text.payment}
      </Anchor>
    );
  }
  return (
    <Group gap={2} wrap="nowrap">
      <Code title={subject}>…{subject.slice(-8)}</Code>
      <CopyIcon value={subject} label={`${text.id} ${subject}`} />
    </Group>
  );
}
