import { Button, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { RateLimit, rateLimitOf } from '../api-keys/rate-limit.tsx';
import { type RateLimits, updateRateLimitDocument } from './documents.ts';
import { Section } from '../../ui/page.tsx';

const messages = texts(
  {
    title: 'Limite das chaves de API',
    about: 'Vale para cada chave sem limite próprio, nos dois modos.',
    save: 'Salvar limite',
    saved: 'Limite salvo.',
  },
  {
    title: 'Limit of API keys',
    about: 'Applies to each key without a limit of its own, in both modes.',
    save: 'Save limit',
    saved: 'Limit saved.',
  },
);

/** Only owners see it. */
export function OrganizationRateLimit({ limits }: { limits: RateLimits }) {
  const text = useTexts(messages);
  const saved = String(limits.rateLimitPerMinute ?? '');
  const [typed, setTyped] = useState(saved);
  const update = useServiceMutation(updateRateLimitDocument, text.saved);
  const error = useFieldErrors(update.error)('rateLimitPerMinute');
  const send = (event: FormEvent) => {
    event.preventDefault();
    update.mutate({ input: { rateLimitPerMinute: rateLimitOf(typed) } });
  };
  return (
    <Section title={text.title} about={text.about}>
      <form onSubmit={send}>
        <Stack gap="sm" maw={480}>
          <RateLimit
            bounds={{ usual: limits.defaultRateLimitPerMinute, maximum: limits.maximumRateLimitPerMinute }}
            value={typed}
            error={error}
            onChange={setTyped}
          />
          {!error && <ErrorAlert error={update.error} />}
          <Group>
            <Button
              type="submit"
              variant="default"
              loading={update.isPending}
              disabled={typed.trim() === saved}
            >
              {text.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </Section>
  );
}
