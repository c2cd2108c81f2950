import { notifications } from '@mantine/notifications';
import { QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { Activity, type ReactNode, useEffect, useState } from 'react';
import { createQueryClient } from './query-client.ts';

interface Props {
  isHidden: boolean;
  children: ReactNode;
}

/**
 * A page with a cache of its own: what one person has read is gone with the page of that person. Hidden, it shows,
 * asks and hears nothing, and keeps what was typed.
 */
export function OwnCache({ isHidden, children }: Props) {
  const [client] = useState(createQueryClient);
  useEffect(() => {
    if (!isHidden) return undefined;
    // Nobody asks for it now, so that after some minutes it would be forgotten, and the forms on it with it.
    const stops = client
      .getQueryCache()
      .getAll()
      .map(({ queryKey }) =>
        new QueryObserver(client, { queryKey, enabled: false }).subscribe(() => undefined),
      );
    return () => {
      for (const stop of stops) stop();
    };
  }, [isHidden, client]);
  useEffect(() => () => notifications.clean(), [isHidden]);
  return (
    <QueryClientProvider client={client}>
      <Activity mode={isHidden ? 'hidden' : 'visible'}>{children}</Activity>
    </QueryClientProvider>
  );
}
