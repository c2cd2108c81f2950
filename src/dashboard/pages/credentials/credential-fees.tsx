import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { lazy } from 'react';
import { texts, useTexts } from '../../base/language.tsx';
import { Dialog } from '../../ui/dialog.tsx';
import type { Credential } from './base/documents.ts';

const FeesForm = lazy(() => import('./fees-form.tsx'));

const messages = texts({ open: 'Tarifas' }, { open: 'Fees' });

/** Only those who may manage credentials see it. */
export function CredentialFees({ credential }: { credential: Credential }) {
  const text = useTexts(messages);
  const [isOpen, { open, close }] = useDisclosure(false);
  const title = `${text.open}: ${credential.name}`;
  return (
    <>
      <Button variant="default" size="xs" aria-label={title} onClick={open}>
        {text.open}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={title}>
        <FeesForm credential={credential} onClose={close} />
      </Dialog>
    </>
  );
}
