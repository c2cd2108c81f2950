import { Button, Select, VisuallyHidden } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { TextInput } from '../../../ui/inputs/fields.tsx';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { useWorkplace } from '../../../base/use-workplace.ts';
import { type Accounts, defaultOf, findingsOf } from '../base/accounts.ts';
import type { Rules } from '../base/documents.ts';
import { Findings } from '../base/findings.tsx';
import { FallbacksInput } from './fallbacks-input.tsx';
import { movedTexts } from './move-buttons.tsx';
import { RangeRow } from './range-row.tsx';
import { useRangeDrafts } from './use-range-drafts.ts';

const messages = texts(
  {
    name: 'Nome',
    addRange: 'Adicionar faixa',
    default: 'Padrão (fora das faixas)',
    ofOrganization: (name: string) => `Padrão da organização: ${name}`,
    none: 'Nenhuma',
    range: (number: number) => `Faixa ${number}`,
  },
  {
    name: 'Name',
    addRange: 'Add range',
    default: 'Default (no range matches)',
    ofOrganization: (name: string) => `Organization default: ${name}`,
    none: 'None',
    range: (number: number) => `Range ${number}`,
  },
);

interface Props {
  initial?: Rules;
  accounts: Accounts;
  label: string;
  mutation: { isPending: boolean; error: unknown };
  onSubmit: (rules: Rules) => void;
  onCancel: () => void;
}

export function RuleSetForm({ initial, accounts, label, mutation, onSubmit, onCancel }: Props) {
  const text = useTexts(messages);
  const { moved } = useTexts(movedTexts);
  const { mode } = useWorkplace();
  const [name, setName] = useState(initial?.name ?? '');
  const [defaultCredentialId, setDefaultCredentialId] = useState(initial?.defaultCredentialId ?? null);
  // Duplicates have no effect, and the input does not support them.
  const [fallbackCredentialIds, setFallbackCredentialIds] = useState([
    ...new Set(initial?.fallbackCredentialIds),
  ]);
  const { drafts, complete, add, change, move, remove } = useRangeDrafts(initial?.ranges);
  const [announced, setAnnounced] = useState('');
  const options = [...accounts.values()].map((account) => ({ value: account.id, label: account.name }));
  const organizationDefault = defaultOf(accounts);
  const rules = complete && { ranges: complete, defaultCredentialId, fallbackCredentialIds };
  const fieldError = useFieldErrors(mutation.error);
  const send = () => {
    if (rules) onSubmit({ name: name.trim(), ...rules });
  };
  return (
    <DialogForm
      submit={label}
      mutation={mutation}
      onSubmit={send}
      onCancel={onCancel}
      isDisabled={!rules}
      fields={['name', 'ranges']}
    >
      <TextInput
        label={text.name}
        required
        data-autofocus
        error={fieldError('name')}
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      {drafts.map((draft, index) => (
        <RangeRow
          key={draft.key}
          name={text.range(index + 1)}
          index={index}
          count={drafts.length}
          draft={draft}
          options={options}
          error={fieldError(`ranges.${index}`)}
          onChange={(changes) => {
            change(draft.key, changes);
          }}
          onMove={(by) => {
            move(index, by);
            setAnnounced(moved(text.range(index + 1), index + by + 1, drafts.length));
          }}
          onRemove={() => {
            remove(draft.key);
          }}
        />
      ))}
      <Button variant="subtle" leftSection={<Plus size={16} aria-hidden />} onClick={add}>
        {text.addRange}
      </Button>
      <Select
        label={text.default}
        placeholder={organizationDefault ? text.ofOrganization(organizationDefault.name) : text.none}
        clearable
        data={options}
        value={defaultCredentialId}
        onChange={setDefaultCredentialId}
      />
      <FallbacksInput options={options} value={fallbackCredentialIds} onChange={setFallbackCredentialIds} />
      <VisuallyHidden>
        <output>{announced}</output>
      </VisuallyHidden>
      {rules && <Findings of="draft" findings={findingsOf(mode, rules, accounts)} accounts={accounts} />}
    </DialogForm>
  );
}
