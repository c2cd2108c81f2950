import { ActionIcon, Button, Kbd } from '@mantine/core';
import { useDisclosure, useHotkeys } from '@mantine/hooks';
import { Search } from 'lucide-react';
import { lazy, Suspense } from 'react';
import { texts, useTexts } from '../../base/language.tsx';

const Palette = lazy(() => import('./palette.tsx'));

const messages = texts({ search: 'Buscar' }, { search: 'Search' });

/** Where the page has a search of its own, `/` leads there. */
function focusSearch(): boolean {
  const input = document.querySelector<HTMLInputElement>('main input[type=search]');
  input?.focus();
  input?.select();
  return input !== null;
}

export function PaletteButton() {
  const text = useTexts(messages);
  const [isOpen, { open, close, toggle }] = useDisclosure(false);
  useHotkeys([['mod+K', toggle]], []);
  useHotkeys([
    [
      '/',
      () => {
        if (!focusSearch()) open();
      },
    ],
  ]);
  return (
    <>
      <Button
        visibleFrom="md"
        flex="none"
        size="xs"
        variant="default"
        aria-keyshortcuts="Control+K"
        leftSection={<Search size={14} aria-hidden />}
        rightSection={
          <Kbd size="xs" aria-hidden style={{ whiteSpace: 'nowrap' }}>
            Ctrl K
          </Kbd>
        }
        onClick={open}
      >
        {text.search}
      </Button>
      <ActionIcon hiddenFrom="md" variant="default" size="md" aria-label={text.search} onClick={open}>
        <Search size={16} aria-hidden />
      </ActionIcon>
      {isOpen && (
        <Suspense>
          <Palette close={close} />
        </Suspense>
      )}
    </>
  );
}
