import { ActionIcon, Anchor, Group } from '@mantine/core';
import { ListFilter } from 'lucide-react';
import { Link } from 'wouter';
import { texts, useTexts } from '../../base/language.tsx';
import { useWorkplace, workplacePath } from '../../base/use-workplace.ts';
import type { AuditEntry } from './documents.ts';
import { shortId } from './rules-text.ts';

const messages = texts(
  {
    payment: 'Ver pagamento',
    batch: 'Ver lote',
    recurrence: 'Ver recorrência',
    link: 'Ver link',
    endpoint: 'Ver endpoint',
    credentials: 'Ver credenciais',
    rules: 'Ver regras',
    keys: 'Ver chaves',
    people: 'Ver pessoas',
    approvals: 'Ver aprovações',
    organization: 'Ver organização',
    books: 'Ver conciliação',
    only: (id: string) => `Só registros de ${id}`,
  },
  {
    payment: 'View payment',
    batch: 'View batch',
    recurrence: 'View recurrence',
    link: 'View link',
    endpoint: 'View endpoint',
    credentials: 'View credentials',
    rules: 'View rules',
    keys: 'View keys',
    people: 'View people',
    approvals: 'View approvals',
    organization: 'View organization',
    books: 'View reconciliation',
    only: (id: string) => `Only entries of ${id}`,
  },
);

interface Place {
  path: string;
  name: Exclude<keyof (typeof messages)['pt'], 'only'>;
}

/** The keys are what the action acts on. */
const placesOf = (subject: string): Readonly<Record<string, Place>> => ({
  payment: { path: `payments/${subject}`, name: 'payment' },
  payer: { path: `payments/${subject}`, name: 'payment' },
  dispute: { path: `payments/${subject}`, name: 'payment' },
  payment_batch: { path: `payments/batches/${subject}`, name: 'batch' },
  recurrence: { path: `recurrences/${subject}`, name: 'recurrence' },
  payment_link: { path: `payment-links/${subject}`, name: 'link' },
  webhook_endpoint: { path: `webhooks/${subject}`, name: 'endpoint' },
  credential: { path: 'credentials', name: 'credentials' },
  books: { path: 'books', name: 'books' },
  book_difference: { path: 'books', name: 'books' },
  rule_set: { path: 'rule-sets', name: 'rules' },
  api_key: { path: 'api-keys', name: 'keys' },
  member: { path: 'members', name: 'people' },
  user: { path: 'members', name: 'people' },
  session: { path: 'members', name: 'people' },
  approval: { path: 'approvals', name: 'approvals' },
  organization: { path: 'organization', name: 'organization' },
});

/** What is deleted has no page any more. */
function placeOf(action: string, subject: string): Place | undefined {
  const [kind = '', event] = action.split('.');
  return event === 'delete' ? undefined : placesOf(subject)[kind];
}

function PageLink({ entry, place }: { entry: AuditEntry; place: Place }) {
  const text = useTexts(messages);
  const { organizationId, mode: ownMode } = useWorkplace();
  const given = entry.details?.['mode'];
  const mode = given === 'test' || given === 'live' ? given : ownMode;
  return (
    <Anchor
      component={Link}
      href={`~/dashboard${workplacePath({ organizationId, mode })}/${place.path}`}
      size="sm"
    >
      {text[place.name]}
    </Anchor>
  );
}

interface SubjectProps {
  entry: AuditEntry;
  /** Lists only what was done to it. */
  choose: (subject: string) => void;
}

/** Names what was acted on, and links to the page that shows it if there is one. */
export function Subject({ entry, choose }: SubjectProps) {
  const text = useTexts(messages);
  const { subject } = entry;
  if (!subject) return null;
  const label = text.only(shortId(subject));
  const place = placeOf(entry.action, subject);
  // Nothing beside an icon alone would say what it is about.
  if (!place)
    return (
      <Anchor
        component="button"
        type="button"
        size="sm"
        onClick={() => {
          choose(subject);
        }}
      >
        {label}
      </Anchor>
    );
  return (
    <Group gap={4} wrap="nowrap">
      <PageLink entry={entry} place={place} />
      <ActionIcon
        variant="subtle"
        color="gray"
        size="sm"
        aria-label={label}
        title={label}
        onClick={() => {
          choose(subject);
        }}
      >
        <ListFilter size={14} aria-hidden />
      </ActionIcon>
    </Group>
  );
}
