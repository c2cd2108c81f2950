import { notifications } from '@mantine/notifications';
import { QueryClientProvider, QueryObserver } from '@tanstack/react-query';
import { Activity, type ReactNode, useEffect, useState } from 'react';
import { createQueryClient } from '../base/query-client.ts';

interface Props {
  isHidden: boolean;
  children: ReactNode;
}

/**
 * Isolates cached data per person: it is dropped with their page. While hidden, the page neither renders nor fetches,
 * but keeps form input.
 */
export function PersonCache({ isHidden, children }: Props) {
  const [client] = useState(createQueryClient);
  useEffect(() => {
    if (!isHidden) return undefined;
    // Without an observer the data would be garbage collected, and the forms built on it would unmount.
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
