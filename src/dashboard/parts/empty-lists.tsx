import { Button } from '@mantine/core';
import { useEffect } from 'react';
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

/** Replaces a list whose filters nothing passes. */
export function NoneLeft({ title, clear }: { title: string; clear: () => void }) {
  const text = useTexts(messages);
  const action = (
    <Button variant="default" onClick={clear}>
      {text.clear}
    </Button>
  );
  return <EmptyState title={title} action={action} />;
}
