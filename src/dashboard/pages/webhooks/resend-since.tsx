import { Text } from '@mantine/core';
import { useState } from 'react';
import { instantAt, wallClock } from '../../../core/base/time/wall-clock.ts';
import { DateInput } from '../../ui/date-range/date-input.tsx';
import { DialogButton } from '../../ui/dialog.tsx';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { texts, useFormats, useTexts, useTimeZone } from '../../base/language.tsx';
import { notify, useServiceMutation } from '../../base/use-service.ts';
import { resendSinceDocument } from './base/documents.ts';
import type { Endpoint } from './base/endpoint-state.tsx';

const messages = texts(
  {
    label: 'Reenviar desde…',
    about:
      'Reenvia todos os eventos deste endpoint a partir da data escolhida, inclusive os ocorridos enquanto estava desativado. Eventos já recebidos chegam novamente, com o mesmo webhook-id.',
    since: 'Desde',
    until: 'Até',
    untilAbout: 'Sem data, até agora. No máximo 20.000 eventos por vez.',
    resend: 'Reenviar',
    queued: (count: string) => `Eventos na fila de envio: ${count}`,
  },
  {
    label: 'Resend since…',
    about:
      'Resends every event for this endpoint since the chosen time, including events it missed while disabled. Events it already received arrive again with the same webhook-id.',
    since: 'Since',
    until: 'Until',
    untilAbout: 'Without a date, until now. Up to 20,000 events at a time.',
    resend: 'Resend',
    queued: (count) => `Events queued: ${count}`,
  },
);

const dayMs = 86_400_000;

const aDayAgo = (): Date => new Date(Date.now() - dayMs);

function ResendForm({ endpoint: { id, failingSince }, close }: { endpoint: Endpoint; close: () => void }) {
  const text = useTexts(messages);
  const formats = useFormats();
  const timeZone = useTimeZone();
  const resend = useServiceMutation(resendSinceDocument);
  const fieldError = useFieldErrors(resend.error);
  const [since, setSince] = useState(() =>
    wallClock(failingSince ? new Date(failingSince) : aDayAgo(), timeZone),
  );
  const [until, setUntil] = useState('');
  const send = () => {
    const instantOf = (wall: string) => instantAt(wall, timeZone).toISOString();
    resend.mutate(
      { endpointId: id, since: instantOf(since), until: until ? instantOf(until) : null },
      {
        onSuccess: ({ resendWebhookDeliveriesSince: count }) => {
          notify(text.queued(formats.count(count)));
          close();
        },
      },
    );
  };
  return (
    <DialogForm
      submit={text.resend}
      mutation={resend}
      onSubmit={send}
      onCancel={close}
      fields={['since', 'until']}
    >
      <Text size="sm">{text.about}</Text>
      <DateInput
        hasTime
        label={text.since}
        required
        withAsterisk={false}
        value={since}
        error={fieldError('since')}
        onChange={setSince}
      />
      <DateInput
        hasTime
        label={text.until}
        description={text.untilAbout}
        value={until}
        error={fieldError('until')}
        onChange={setUntil}
      />
    </DialogForm>
  );
}

export function ResendSince({ endpoint }: { endpoint: Endpoint }) {
  const text = useTexts(messages);
  return (
    <DialogButton label={text.label} size="xs">
      {(close) => <ResendForm endpoint={endpoint} close={close} />}
    </DialogButton>
  );
}
