import { ActionIcon, Anchor, Badge, Text } from '@mantine/core';
import { ChevronDown, ChevronRight } from 'lucide-react';
import { wordsOfAction, wordsOfActor } from '../../../core/audit/rules/audit-words.ts';
import { texts, useLanguage, useTexts } from '../../base/language.tsx';
import { ClippedText } from '../../ui/clipped-text.tsx';
import type { AuditEntry } from './documents.ts';
import type { FilterProps } from './use-filters.ts';

const messages = texts(
  {
    onlyBy: (actor: string) => `Só registros de ${actor}`,
    details: (action: string) => `Detalhes: ${action}`,
    test: 'Teste',
    live: 'Produção',
  },
  {
    onlyBy: (actor: string) => `Only entries of ${actor}`,
    details: (action: string) => `Details: ${action}`,
    test: 'Test',
    live: 'Live',
  },
);

/** Other actions apply to both modes. */
const hasMode = (action: string): boolean => /^(payment|payer|webhook_)/.test(action);

export function ActionCell({ entry: { action, details } }: { entry: AuditEntry }) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const mode = details?.['mode'];
  return (
    <>
      <Text span size="sm" fw={600} title={action}>
        {wordsOfAction(action, language)}
      </Text>{' '}
      {hasMode(action) && (mode === 'test' || mode === 'live') && (
        <Badge size="sm" variant="light" color={mode === 'test' ? 'yellow' : 'teal'} tt="none">
          {text[mode]}
        </Badge>
      )}
    </>
  );
}

export function ActorCell({ entry, change }: { entry: AuditEntry; change: FilterProps['change'] }) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const name = wordsOfActor(entry, language);
  return (
    <Anchor
      component="button"
      type="button"
      size="sm"
      ta="start"
      title={text.onlyBy(name)}
      onClick={() => {
        change({ actor: entry.userId ?? entry.apiKeyId ?? entry.actor });
      }}
    >
      <ClippedText maxWidth="11rem">{name}</ClippedText>
    </Anchor>
  );
}

interface DetailsToggleProps {
  entry: AuditEntry;
  isOpen: boolean;
  toggle: () => void;
}

export function DetailsToggle({ entry, isOpen, toggle }: DetailsToggleProps) {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const Icon = isOpen ? ChevronDown : ChevronRight;
  return (
    <ActionIcon
      variant="subtle"
      color="gray"
      size="sm"
      aria-expanded={isOpen}
      aria-label={text.details(wordsOfAction(entry.action, language))}
      onClick={toggle}
    >
      <Icon size={16} aria-hidden />
    </ActionIcon>
  );
}
