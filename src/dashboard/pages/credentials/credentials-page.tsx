import { Alert, Button, Group, Paper, SimpleGrid, Stack } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { FlaskConical, Info, Plus } from 'lucide-react';
import { useState } from 'react';
import { DialogButton } from '../../ui/dialog.tsx';
import { Page } from '../../ui/page.tsx';
import { EmptyState } from '../../ui/empty-state.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { AddedCredential } from './added-credential.tsx';
import { CredentialCard } from './credential-card.tsx';
import { type Credential, credentialsDocument, providerSettingsDocument } from './base/documents.ts';
import { NewCredentialForm } from './form/new-credential-form.tsx';
import { credentialTexts } from './texts.ts';

/** The default comes first, the disabled come last. */
const placeOf = ({ enabled, isDefault }: Credential): number => (isDefault ? 0 : enabled ? 1 : 2);

function Credentials({ credentials }: { credentials: readonly Credential[] }) {
  const text = useTexts(credentialTexts);
  if (credentials.length === 0) {
    return (
      <Paper withBorder>
        <EmptyState title={text.none}>{text.noneAbout}</EmptyState>
      </Paper>
    );
  }
  return (
    <SimpleGrid cols={{ base: 1, lg: 2 }} style={{ alignItems: 'start' }}>
      {credentials
        .toSorted((a, b) => placeOf(a) - placeOf(b))
        .map((credential) => (
          <CredentialCard key={credential.id} credential={credential} />
        ))}
    </SimpleGrid>
  );
}

function ArchivedCredentials({ credentials }: { credentials: readonly Credential[] }) {
  const text = useTexts(credentialTexts);
  const [isOpen, { toggle }] = useDisclosure(false);
  if (credentials.length === 0) return null;
  return (
    <Stack align="stretch">
      <Group>
        <Button variant="subtle" size="compact-sm" aria-expanded={isOpen} onClick={toggle}>
          {isOpen ? text.hideArchived : text.showArchived(credentials.length)}
        </Button>
      </Group>
      {isOpen && <Credentials credentials={credentials} />}
    </Stack>
  );
}

function NewCredential({ isFirst, onClose }: { isFirst: boolean; onClose: () => void }) {
  const [added, setAdded] = useState<string>();
  const settings = useServiceQuery(providerSettingsDocument, {});
  if (added) return <AddedCredential id={added} onDone={onClose} />;
  return (
    <QueryResult result={settings}>
      {({ providerSettings }) => (
        <NewCredentialForm
          providers={providerSettings}
          isFirst={isFirst}
          onCancel={onClose}
          onAdded={setAdded}
        />
      )}
    </QueryResult>
  );
}

export default function CredentialsPage() {
  const text = useTexts(credentialTexts);
  const { mode, may } = useWorkplace();
  const mayManage = may('credentials:manage');
  const credentials = useServiceQuery(credentialsDocument, {});
  const isFirst = credentials.data?.credentials.every(({ archivedAt }) => archivedAt) ?? false;
  const add = (
    <DialogButton
      label={text.add}
      dialog={{ size: 'lg' }}
      variant="filled"
      leftSection={<Plus size={16} aria-hidden />}
    >
      {(close) => <NewCredential isFirst={isFirst} onClose={close} />}
    </DialogButton>
  );
  return (
    <Page title={text.title} about={text.about} actions={mayManage && add}>
      {mode === 'test' && (
        <Alert color="yellow" icon={<FlaskConical />} title={text.testTitle}>
          {text.testAbout}
        </Alert>
      )}
      {!mayManage && (
        <Alert color="gray" icon={<Info />}>
          {text.readOnly}
        </Alert>
      )}
      <QueryResult result={credentials}>
        {({ credentials: shown }) => (
          <>
            <Credentials credentials={shown.filter(({ archivedAt }) => !archivedAt)} />
            <ArchivedCredentials credentials={shown.filter(({ archivedAt }) => archivedAt)} />
          </>
        )}
      </QueryResult>
    </Page>
  );
}
