import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy, Suspense } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { Dialog } from '../../ui/dialog.tsx';
import { Loading } from '../../ui/loading.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { credentialsDocument } from './base/documents.ts';

const FallbacksForm = lazy(() => import('./fallbacks-form.tsx'));

const messages = texts(
  { open: 'Contingência', title: 'Contingência da credencial padrão' },
  { open: 'Fallbacks', title: 'Fallbacks of the default credential' },
);

/** Only those who may manage credentials see it, at the default. */
export function DefaultFallbacks() {
  const text = useTexts(messages);
  const [isOpen, { open, close }] = useDisclosure(false);
  const credentials = useServiceQuery(credentialsDocument, {}, { enabled: isOpen });
  return (
    <>
      <Button variant="default" size="xs" onClick={open}>
        {text.open}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={text.title}>
        <QueryResult result={credentials}>
          {({ credentials: all }) => (
            <Suspense fallback={<Loading />}>
              <FallbacksForm credentials={all} onClose={close} />
            </Suspense>
          )}
        </QueryResult>
      </Dialog>
    </>
  );
}
