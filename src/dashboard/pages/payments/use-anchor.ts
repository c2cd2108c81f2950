import { useEffect, useState } from 'react';
import { useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { newPaymentsDocument, paymentsUpdatedDocument } from './documents.ts';
import type { paymentFilterOf } from './use-filters.ts';

type Filter = ReturnType<typeof paymentFilterOf>;

const pageSize = 25;

const justAfter = (instant: string): string => new Date(Date.parse(instant) + 1).toISOString();

/**
 * Keeps a list from moving while somebody reads it: from the first live update on, it shows no payment newer than the newest
 * one then. `newer` counts those since, up to a page. Unless the newest come first, new ones do not push the others down.
 */
export function useAnchor(filter: Filter, newest: string | undefined, { isHeld }: { isHeld: boolean }) {
  const { live } = useWorkplace();
  const name = JSON.stringify(filter);
  const [anchor, setAnchor] = useState<{ name: string; before: string }>();
  const before = isHeld && anchor?.name === name ? anchor.before : undefined;
  useEffect(() => {
    if (!isHeld || before !== undefined || newest === undefined || 'createdTo' in filter) return undefined;
    const after = justAfter(newest);
    return live.subscribe(paymentsUpdatedDocument, {}, () => {
      setAnchor({ name, before: after });
    });
  }, [live, name, newest, before, filter, isHeld]);
  const { data } = useServiceQuery(
    newPaymentsDocument,
    { filter: { ...filter, ...(before !== undefined && { createdFrom: before }) } },
    { enabled: before !== undefined },
  );
  const newer = before === undefined ? 0 : (data?.payments.edges.length ?? 0);
  return {
    held: before === undefined ? filter : { ...filter, createdTo: before },
    newer,
    isAtLeast: newer === pageSize,
    show: () => {
      const first = data?.payments.edges[0]?.node.createdAt;
      if (first) setAnchor({ name, before: justAfter(first) });
    },
  };
}
