import { Anchor, Code, Group } from '@mantine/core';
import { Link } from 'wouter';
import { CopyIcon } from '../../ui/copying/copy-button.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { useWorkplace, workplacePath } from '../../shell/use-workplace.ts';
import type { AuditEntry } from './documents.ts';

const messages = texts(
  { payments: 'Ver pagamento', 'payment-links': 'Ver link', webhooks: 'Ver endpoint', id: 'ID' },
  { payments: 'View payment', 'payment-links': 'View link', webhooks: 'View endpoint', id: 'ID' },
);

type Place = 'payments' | 'payment-links' | 'webhooks';

const places: Readonly<Partial<Record<string, Place>>> = {
  payment: 'payments',
  payer: 'payments',
  payment_link: 'payment-links',
  webhook_endpoint: 'webhooks',
};

/** Links to the subject's page, if it has one. */
export function Subject({ entry: { action, subject, details } }: { entry: AuditEntry }) {
  const text = useTexts(messages);
  const { organizationId } = useWorkplace();
  const place = places[action.split('.')[0] ?? ''];
  const mode = details?.['mode'];
  if (!subject) return null;
  if (place && (mode === 'test' || mode === 'live')) {
    return (
      <Anchor
        component={Link}
        href={`~/dashboard${workplacePath({ organizationId, mode })}/${place}/${subject}`}
        size="xs"
      >
        {text[place]}
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
