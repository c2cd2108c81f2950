import { Stack, Text, TextInput } from '@mantine/core';
import { useState } from 'react';
import { instantAt, wallClock } from '../../../domain/time/wall-clock.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { texts, useFormats, useTexts, useTimeZone } from '../../shell/language.tsx';
import { notify, useServiceMutation } from '../../shell/use-service.ts';
import { resendSinceDocument } from './documents.ts';
import type { Endpoint } from './endpoint-state.tsx';

const messages = texts(
  {
    label: 'Reenviar desde…',
    about:
      'Reenvia todos os eventos deste endpoint a partir da data escolhida, inclusive os ocorridos enquanto estava desativado. Eventos já recebidos chegam novamente, com o mesmo webhook-id.',
    since: 'Desde',
    until: 'Até (opcional, no máximo 20.000 eventos por vez)',
    queued: (count: string) => `Eventos na fila de envio: ${count}`,
  },
  {
    label: 'Resend since…',
    about:
      'Resends every event for this endpoint since the chosen time, including events it missed while disabled. Events it already received arrive again with the same webhook-id.',
    since: 'Since',
    until: 'Until (optional, up to 20,000 events at a time)',
    queued: (count) => `Events queued: ${count}`,
  },
);

const dayMs = 86_400_000;

const aDayAgo = (): Date => new Date(Date.now() - dayMs);

export function ResendSince({ endpoint: { id, failingSince } }: { endpoint: Endpoint }) {
  const text = useTexts(messages);
  const formats = useFormats();
  const timeZone = useTimeZone();
  const resend = useServiceMutation(resendSinceDocument);
  const [since, setSince] = useState(() =>
    wallClock(failingSince ? new Date(failingSince) : aDayAgo(), timeZone),
  );
  const [until, setUntil] = useState('');
  const isMoment = !Number.isNaN(Date.parse(since));
  const confirm = (close: () => void) => {
    if (!isMoment) return;
    resend.mutate(
      {
        endpointId: id,
        since: instantAt(since, timeZone).toISOString(),
        until: until ? instantAt(until, timeZone).toISOString() : null,
      },
      {
        onSuccess: ({ resendWebhookDeliveriesSince: count }) => {
          notify(text.queued(formats.count(count)));
          close();
        },
      },
    );
  };
  return (
    <ConfirmButton label={text.label} mutation={resend} onConfirm={confirm}>
      <Stack>
        <Text size="sm">{text.about}</Text>
        <TextInput
          type="datetime-local"
          label={text.since}
          required
          withAsterisk={false}
          error={!isMoment}
          value={since}
          onChange={(event) => {
            setSince(event.currentTarget.value);
          }}
        />
        <TextInput
          type="datetime-local"
          label={text.until}
          value={until}
          onChange={(event) => {
            setUntil(event.currentTarget.value);
          }}
        />
      </Stack>
    </ConfirmButton>
  );
}
