import { Badge } from '@mantine/core';
import { isEndpointFailing } from '../../../../core/health/rules/conditions.ts';
import { disabledReasons } from '../../../../core/health/rules/condition-words.ts';
import type { ResultOf } from '../../../api/graphql.ts';
import { eventTexts } from '../../../parts/event-texts.ts';
import { texts, useFormats, useLanguage, useTexts } from '../../../base/language.tsx';
import type { endpointFields } from './documents.ts';

export type Endpoint = ResultOf<typeof endpointFields>;

const messages = texts(
  {
    enabled: 'Ativo',
    failing: 'Falhando',
    disabled: 'Desativado',
    failingSince: (since: string) =>
      `Falhando desde ${since}: nenhum webhook aceito há mais de 5 minutos. Será desativado após 5 dias de falhas.`,
    byService: (reason: string) => `Desativado automaticamente: ${reason}`,
    allEvents: 'Todos',
  },
  {
    enabled: 'Enabled',
    failing: 'Failing',
    disabled: 'Disabled',
    failingSince: (since) =>
      `Failing since ${since}: no webhook accepted for more than 5 minutes. It will be disabled after 5 days of failures.`,
    byService: (reason) => `Disabled automatically: ${reason}`,
    allEvents: 'All',
  },
);

const colors = { enabled: 'teal', failing: 'red', disabled: 'gray' };

type Health = Pick<Endpoint, 'enabled' | 'disabledReason' | 'failingSince'>;

/** Says since when, once that is too long. */
const failingSinceOf = ({ enabled, failingSince }: Health): string | undefined =>
  enabled && failingSince && isEndpointFailing(new Date(failingSince), new Date()) ? failingSince : undefined;

export function EndpointState(health: Health) {
  const text = useTexts(messages);
  const state = health.enabled ? (failingSinceOf(health) ? 'failing' : 'enabled') : 'disabled';
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
  return (health) => {
    const { disabledReason } = health;
    if (disabledReason) return text.byService(disabledReasons[disabledReason]?.[language] ?? disabledReason);
    const since = failingSinceOf(health);
    return since && text.failingSince(formats.dateTime(since));
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
