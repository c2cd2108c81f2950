import { Badge } from '@mantine/core';
import { disabledReasons } from '../../../domain/health/condition-words.ts';
import type { ResultOf } from '../../api/graphql.ts';
import { eventTexts } from '../../parts/event-texts.ts';
import { texts, useFormats, useLanguage, useTexts } from '../../shell/language.tsx';
import type { endpointFields } from './documents.ts';

export type Endpoint = ResultOf<typeof endpointFields>;

const messages = texts(
  {
    enabled: 'Ativo',
    failing: 'Falhando',
    disabled: 'Desativado',
    failingSince: (since: string) => `Falhando desde ${since}. Será desativado após 5 dias de falhas.`,
    byService: (reason: string) => `Desativado automaticamente: ${reason}`,
    allEvents: 'Todos',
  },
  {
    enabled: 'Enabled',
    failing: 'Failing',
    disabled: 'Disabled',
    failingSince: (since) => `Failing since ${since}. It will be disabled after 5 days of failures.`,
    byService: (reason) => `Disabled automatically: ${reason}`,
    allEvents: 'All',
  },
);

const colors = { enabled: 'teal', failing: 'red', disabled: 'gray' };

type Health = Pick<Endpoint, 'enabled' | 'disabledReason' | 'failingSince'>;

export function EndpointState({ enabled, failingSince }: Health) {
  const text = useTexts(messages);
  const state = enabled ? (failingSince ? 'failing' : 'enabled') : 'disabled';
  return (
    <Badge variant="dot" tt="none" color={colors[state]}>
      {text[state]}
    </Badge>
  );
}

/** Describes why an endpoint is disabled or failing; undefined while it is healthy. */
export function useTrouble(): (health: Health) => string | undefined {
  const text = useTexts(messages);
  const { language } = useLanguage();
  const formats = useFormats();
  return ({ enabled, disabledReason, failingSince }) => {
    if (disabledReason) return text.byService(disabledReasons[disabledReason]?.[language] ?? disabledReason);
    return enabled && failingSince ? text.failingSince(formats.dateTime(failingSince)) : undefined;
  };
}

export function useEventNames(): (events: Endpoint['events']) => string {
  const text = useTexts(messages);
  const eventText = useTexts(eventTexts);
  const { language } = useLanguage();
  return (events) =>
    events.length === 0
      ? text.allEvents
      : new Intl.ListFormat(language).format(events.map((event) => eventText[event]));
}
