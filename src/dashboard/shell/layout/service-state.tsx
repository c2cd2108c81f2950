import { Alert, Box } from '@mantine/core';
import { useQueryClient } from '@tanstack/react-query';
import { CloudOff, Hourglass } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { texts, useFormats, useTexts } from '../../base/language.tsx';
import { type ServiceState, useServiceState } from './use-service-state.ts';
import classes from './layout.module.css';

const messages = texts(
  {
    lost: 'Sem conexão com o serviço. Reconectando…',
    slow: 'O serviço está demorando para responder. Ainda aguardando…',
    asOf: (instant: string) => `O que você vê é de ${instant} e pode estar desatualizado.`,
  },
  {
    lost: 'No connection to the service. Reconnecting…',
    slow: 'The service is taking long to respond. Still waiting…',
    asOf: (instant) => `What you see is from ${instant} and may be out of date.`,
  },
);

/** Tells when the newest of what is shown was read. */
function useReadAt(state: ServiceState): number {
  const client = useQueryClient();
  return useMemo(() => {
    const shown = state === 'lost' ? client.getQueryCache().findAll({ type: 'active' }) : [];
    return Math.max(0, ...shown.map((query) => query.state.dataUpdatedAt));
  }, [client, state]);
}

function Notice({ state }: { state: ServiceState }) {
  const text = useTexts(messages);
  const { dateTime } = useFormats();
  const readAt = useReadAt(state);
  if (state === 'well') return null;
  const Icon = state === 'lost' ? CloudOff : Hourglass;
  return (
    <Alert
      color="yellow"
      variant="light"
      mb="md"
      icon={<Icon aria-hidden />}
      title={text[state]}
      role="presentation"
    >
      {readAt > 0 && text.asOf(dateTime(new Date(readAt)))}
    </Alert>
  );
}

/** Says so while the service does not answer, and marks what may be out of date meanwhile. */
export function WithServiceState({ children }: { children: ReactNode }) {
  const state = useServiceState();
  return (
    <>
      <output className={classes.notice}>
        <Notice state={state} />
      </output>
      <Box className={classes.shown} data-stale={state === 'lost' || undefined}>
        {children}
      </Box>
    </>
  );
}
