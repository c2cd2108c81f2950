import { Button, Group, Loader, Stack, Text } from '@mantine/core';
import { RefreshCw } from 'lucide-react';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { fetchBooksDocument } from './base/documents.ts';
import { isCorrectable } from './month.ts';

const messages = texts(
  { fetch: 'Buscar extrato', fetching: 'Lendo o extrato…' },
  { fetch: 'Fetch statement', fetching: 'Reading the statement…' },
);

interface FetchButtonProps {
  /** The sandbox has no credential: null. */
  credentialId: string | null;
  date: string;
  isImporting: boolean;
}

/** Has the statement of a day read again, for owners and as long as a bank corrects it. */
export function FetchButton({ credentialId, date, isImporting }: FetchButtonProps) {
  const text = useTexts(messages);
  const { may, mode } = useWorkplace();
  const fetchBooks = useServiceMutation(fetchBooksDocument);
  return (
    <Stack gap="xs" align="flex-end">
      {isImporting && (
        <Group gap="xs" component="output">
          <Loader size="xs" aria-hidden />
          <Text size="sm">{text.fetching}</Text>
        </Group>
      )}
      {!isImporting && may('books:fetch') && isCorrectable(date, mode) && (
        <Button
          variant="default"
          leftSection={<RefreshCw size={16} aria-hidden />}
          loading={fetchBooks.isPending}
          onClick={() => {
            fetchBooks.mutate({ credentialId, date });
          }}
        >
          {text.fetch}
        </Button>
      )}
      <ErrorAlert error={fetchBooks.error} />
    </Stack>
  );
}
