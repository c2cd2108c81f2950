import { lazy } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { DialogButton } from '../../ui/dialog.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { credentialsDocument } from './base/documents.ts';

const FallbacksForm = lazy(() => import('./fallbacks-form.tsx'));

const messages = texts(
  { open: 'Contingência', title: 'Contingência da credencial padrão' },
  { open: 'Fallbacks', title: 'Fallbacks of the default credential' },
);

function Fallbacks({ onClose }: { onClose: () => void }) {
  const credentials = useServiceQuery(credentialsDocument, {});
  return (
    <QueryResult result={credentials}>
      {({ credentials: all }) => <FallbacksForm credentials={all} onClose={onClose} />}
    </QueryResult>
  );
}

/** Only those who may manage credentials see it, at the default. */
export function DefaultFallbacks() {
  const text = useTexts(messages);
  return (
    <DialogButton label={text.open} title={text.title} size="xs">
      {(close) => <Fallbacks onClose={close} />}
    </DialogButton>
  );
}
