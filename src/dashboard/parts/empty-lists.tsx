import { Button } from '@mantine/core';
import { FilterX } from 'lucide-react';
import { type ReactNode, useEffect } from 'react';
import { texts, useTexts } from '../base/language.tsx';
import type { More } from '../base/use-service.ts';
import { EmptyState } from '../ui/empty-state.tsx';
import { Loading } from '../ui/loading.tsx';

const messages = texts(
  { goOn: 'Continuar', clear: 'Limpar filtros' },
  { goOn: 'Continue', clear: 'Clear filters' },
);

const pagesAtOnce = 8;

interface GoingOnProps {
  more: More;
  pageCount: number;
  title: string;
  about: string;
}

/** Pages can be empty while older rows are left to compare: goes through some of them before it asks. */
export function GoingOn({ more, pageCount, title, about }: GoingOnProps) {
  const text = useTexts(messages);
  const { load, isLoading, error } = more;
  const isPaused = pageCount % pagesAtOnce === 0 || !!error;
  useEffect(() => {
    if (!isLoading && !isPaused) load();
  });
  if (!isPaused) return <Loading />;
  const action = (
    <Button variant="default" loading={isLoading} onClick={load}>
      {text.goOn}
    </Button>
  );
  return (
    <EmptyState title={title} action={action}>
      {about}
    </EmptyState>
  );
}

/** Stands above a list that is filtered. */
export function ClearFilters({ clear }: { clear: () => void }) {
  const text = useTexts(messages);
  return (
    <Button
      variant="subtle"
      size="compact-sm"
      w="fit-content"
      leftSection={<FilterX size={14} aria-hidden />}
      onClick={clear}
    >
      {text.clear}
    </Button>
  );
}

interface NoneLeftProps {
  title: string;
  clear: () => void;
  /** Says more, and where else to look. */
  children?: ReactNode;
}

/** Replaces a list whose filters nothing passes. */
export function NoneLeft({ title, clear, children }: NoneLeftProps) {
  const text = useTexts(messages);
  const action = (
    <Button variant="default" onClick={clear}>
      {text.clear}
    </Button>
  );
  return (
    <EmptyState title={title} action={action}>
      {children}
    </EmptyState>
  );
}
