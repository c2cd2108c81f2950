import { useEffect } from 'react';
import { useServiceMutation, useServiceQuery } from '../../../base/use-service.ts';
import { useWorkplace } from '../../../base/use-workplace.ts';
import { deleteViewDocument, savedViewsDocument, saveViewDocument } from './documents.ts';

/** Before views belonged to the account, browsers kept them: query strings by name. */
const keyOfBrowser = (organizationId: string): string => `pix-payment-views-${organizationId}`;

function viewsOfBrowser(key: string): [name: string, query: string][] {
  try {
    const stored: unknown = JSON.parse(localStorage.getItem(key) ?? '{}');
    return Object.entries(stored as object).filter((entry): entry is [string, string] =>
      entry.every((part) => typeof part === 'string'),
    );
  } catch {
    return [];
  }
}

/** Reads the person's views of this organization. Those that this browser still has are given to the account. */
export function useSavedViews() {
  const { organizationId } = useWorkplace();
  const result = useServiceQuery(savedViewsDocument, {});
  const saving = useServiceMutation(saveViewDocument);
  const removing = useServiceMutation(deleteViewDocument);
  const views = result.data?.savedViews;
  const { mutateAsync: move } = useServiceMutation(saveViewDocument);
  useEffect(() => {
    if (!views) return;
    const key = keyOfBrowser(organizationId);
    const known = new Set(views.map(({ name }) => name));
    const missing = viewsOfBrowser(key).filter(([name]) => !known.has(name));
    void (async () => {
      for (const [name, query] of missing) await move({ name, query });
      localStorage.removeItem(key);
    })().catch(() => undefined);
  }, [views, organizationId, move]);
  return { views: views ?? [], error: result.error, saving, removing };
}
