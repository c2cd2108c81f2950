import { Checkbox, Stack, Switch } from '@mantine/core';
import { useState } from 'react';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { eventTexts, type EndpointEventType, endpointEventTypes } from '../../parts/event-texts.ts';
import { DialogForm } from '../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../ui/problems/use-problems.ts';
import { texts, useTexts } from '../../base/language.tsx';
import { useWorkplace } from '../../base/use-workplace.ts';

const messages = texts(
  {
    name: 'Nome (opcional)',
    aboutName: 'Para reconhecê-lo em listas e alertas.',
    url: 'URL',
    example: (url: string) => `Ex.: ${url}`,
    aboutUrl: { test: 'HTTPS ou, no modo de teste, HTTP', live: 'HTTPS, acessível pela internet' },
    events: 'Eventos',
    all: 'Todos os eventos de pagamentos, inclusive os que forem criados no futuro',
    chooseOne: 'Selecione pelo menos um evento.',
  },
  {
    name: 'Name (optional)',
    aboutName: 'To recognize it in lists and alerts.',
    url: 'URL',
    example: (url) => `e.g. ${url}`,
    aboutUrl: { test: 'HTTPS or, in test mode, HTTP', live: 'HTTPS, reachable from the internet' },
    events: 'Events',
    all: 'All events of payments, including ones added in the future',
    chooseOne: 'Select at least one event.',
  },
);

interface EndpointInput {
  /** Empty: none. */
  name: string;
  url: string;
  /** An empty choice stands for all events. */
  events: EndpointEventType[];
}

interface EndpointFormProps {
  initial?: EndpointInput;
  label: string;
  mutation: { isPending: boolean; error: unknown };
  onSubmit: (input: EndpointInput) => void;
  onCancel: () => void;
}

export function EndpointForm({ initial, label, mutation, onSubmit, onCancel }: EndpointFormProps) {
  const text = useTexts(messages);
  const eventText = useTexts(eventTexts);
  const { mode } = useWorkplace();
  const fieldError = useFieldErrors(mutation.error);
  const [name, setName] = useState(initial?.name ?? '');
  const [url, setUrl] = useState(initial?.url ?? '');
  const [isAll, setIsAll] = useState(!initial?.events.length);
  const [events, setEvents] = useState<EndpointEventType[]>(initial?.events ?? []);
  const [isIncomplete, setIsIncomplete] = useState(false);
  const submit = () => {
    const isMissing = !isAll && events.length === 0;
    setIsIncomplete(isMissing);
    if (!isMissing) onSubmit({ name: name.trim(), url: url.trim(), events: isAll ? [] : events });
  };
  return (
    <DialogForm
      submit={label}
      mutation={mutation}
      onSubmit={submit}
      onCancel={onCancel}
      fields={['name', 'url', 'events']}
    >
      <TextInput
        label={text.url}
        description={text.aboutUrl[mode]}
        placeholder={text.example('https://shop.example.com/pix')}
        inputMode="url"
        autoComplete="off"
        spellCheck={false}
        data-autofocus
        error={fieldError('url')}
        value={url}
        onChange={(event) => {
          setUrl(event.currentTarget.value);
        }}
      />
      <TextInput
        label={text.name}
        description={text.aboutName}
        maxLength={100}
        autoComplete="off"
        error={fieldError('name')}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      <Switch
        label={text.all}
        checked={isAll}
        onChange={(event) => {
          setIsAll(event.currentTarget.checked);
        }}
      />
      {!isAll && (
        <Checkbox.Group
          label={text.events}
          error={isIncomplete && events.length === 0 ? text.chooseOne : fieldError('events')}
          value={events}
          onChange={(chosen) => {
            setEvents(endpointEventTypes.filter((type) => chosen.includes(type)));
          }}
        >
          <Stack gap="xs" my="xs">
            {endpointEventTypes.map((type) => (
              <Checkbox key={type} value={type} label={eventText[type]} description={type} />
            ))}
          </Stack>
        </Checkbox.Group>
      )}
    </DialogForm>
  );
}
