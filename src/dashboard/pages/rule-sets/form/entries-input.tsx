import { Button, VisuallyHidden } from '@mantine/core';
import { Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useTexts } from '../../../base/language.tsx';
import { DraftRow, type Options } from './draft-row.tsx';
import { movedTexts } from './move-buttons.tsx';
import type { Draft, useDrafts } from './use-drafts.ts';

interface Props<Entry extends { credentialId: string | null }> {
  entries: ReturnType<typeof useDrafts<Entry>>;
  options: Options;
  nameOf: (number: number) => string;
  add: string;
  /** Their path in the input. */
  field: string;
  errorOf: (field: string) => string | undefined;
  isOrdered?: boolean;
  children: (entry: Draft<Entry>, change: (changes: Partial<Entry>) => void) => ReactNode;
}

/** The entries of one kind of a routing rule, which can be added, removed and, where their order counts, moved. */
export function EntriesInput<Entry extends { credentialId: string | null }>(props: Props<Entry>) {
  const { entries, options, nameOf, add, field, errorOf, isOrdered = false, children } = props;
  const { moved } = useTexts(movedTexts);
  const [announced, setAnnounced] = useState('');
  const count = entries.drafts.length;
  return (
    <>
      {entries.drafts.map((draft, index) => {
        const name = nameOf(index + 1);
        const change = (changes: Partial<Entry>) => {
          entries.change(draft.key, changes);
        };
        const onMove = (by: -1 | 1) => {
          entries.move(index, by);
          setAnnounced(moved(name, index + by + 1, count));
        };
        return (
          <DraftRow
            key={draft.key}
            name={name}
            field={`${field}.${index}`}
            error={errorOf(`${field}.${index}`)}
            options={options}
            credentialId={draft.credentialId}
            onCredential={(credentialId) => {
              change({ credentialId } as Partial<Entry>);
            }}
            onRemove={() => {
              entries.remove(draft.key);
            }}
            {...(isOrdered && { place: { index, count, onMove } })}
          >
            {children(draft, change)}
          </DraftRow>
        );
      })}
      <Button variant="subtle" leftSection={<Plus size={16} aria-hidden />} onClick={entries.add}>
        {add}
      </Button>
      <VisuallyHidden>
        <output>{announced}</output>
      </VisuallyHidden>
    </>
  );
}
