import { Input, Select } from '@mantine/core';
import { useState } from 'react';
import { TextInput } from '../../../ui/inputs/fields.tsx';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { useWorkplace } from '../../../base/use-workplace.ts';
import { type Accounts, defaultOf, findingsOf } from '../base/accounts.ts';
import type { Rules } from '../base/documents.ts';
import { Findings } from '../base/findings.tsx';
import { RuleChanges } from '../base/rule-changes.tsx';
import { FallbacksInput } from './fallbacks-input.tsx';
import {
  completeRanges,
  completeSplit,
  completeWindows,
  followingRange,
  followingShare,
  followingWindow,
  type RangeEntry,
  type ShareEntry,
  type WindowEntry,
} from './drafts.ts';
import { EntriesInput } from './entries-input.tsx';
import { RangeInputs, ShareInput, WindowInputs } from './entry-inputs.tsx';
import { useDrafts } from './use-drafts.ts';

const messages = texts(
  {
    name: 'Nome',
    addWindow: 'Adicionar horário',
    addRange: 'Adicionar faixa',
    addShare: 'Adicionar divisão',
    default: 'Padrão (fora das faixas)',
    ofOrganization: (name: string) => `Padrão da organização: ${name}`,
    none: 'Nenhuma',
    window: (number: number) => `Horário ${number}`,
    range: (number: number) => `Faixa ${number}`,
    share: (number: number) => `Divisão ${number}`,
  },
  {
    name: 'Name',
    addWindow: 'Add hours',
    addRange: 'Add range',
    addShare: 'Add share',
    default: 'Default (no range matches)',
    ofOrganization: (name: string) => `Organization default: ${name}`,
    none: 'None',
    window: (number: number) => `Hours ${number}`,
    range: (number: number) => `Range ${number}`,
    share: (number: number) => `Share ${number}`,
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
  const { mode } = useWorkplace();
  const [name, setName] = useState(initial?.name ?? '');
  const [defaultCredentialId, setDefaultCredentialId] = useState(initial?.defaultCredentialId ?? null);
  // Duplicates have no effect, and the input does not support them.
  const [fallbackCredentialIds, setFallbackCredentialIds] = useState([
    ...new Set(initial?.fallbackCredentialIds),
  ]);
  const windows = useDrafts<WindowEntry>(initial?.when ?? [], followingWindow);
  const ranges = useDrafts<RangeEntry>(initial?.ranges ?? [followingRange([])], followingRange);
  const shares = useDrafts<ShareEntry>(initial?.split ?? [], followingShare);
  const options = [...accounts.values()].map((account) => ({ value: account.id, label: account.name }));
  const organizationDefault = defaultOf(accounts);
  const when = completeWindows(windows.drafts);
  const split = completeSplit(shares.drafts);
  const complete = completeRanges(ranges.drafts);
  const rules =
    when && complete && split
      ? { when, ranges: complete, split, defaultCredentialId, fallbackCredentialIds }
      : undefined;
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
      fields={['name', 'when', 'ranges', 'split']}
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
      <EntriesInput
        entries={windows}
        options={options}
        nameOf={text.window}
        add={text.addWindow}
        errorOf={(index) => fieldError(`when.${index}`)}
        isOrdered
      >
        {(entry, change) => <WindowInputs entry={entry} onChange={change} />}
      </EntriesInput>
      <EntriesInput
        entries={ranges}
        options={options}
        nameOf={text.range}
        add={text.addRange}
        errorOf={(index) => fieldError(`ranges.${index}`)}
        isOrdered
      >
        {(entry, change) => <RangeInputs entry={entry} onChange={change} />}
      </EntriesInput>
      <EntriesInput
        entries={shares}
        options={options}
        nameOf={text.share}
        add={text.addShare}
        errorOf={(index) => fieldError(`split.${index}`)}
      >
        {(entry, change) => <ShareInput entry={entry} onChange={change} />}
      </EntriesInput>
      {fieldError('split') && <Input.Error>{fieldError('split')}</Input.Error>}
      <Select
        label={text.default}
        placeholder={organizationDefault ? text.ofOrganization(organizationDefault.name) : text.none}
        clearable
        data={options}
        value={defaultCredentialId}
        onChange={setDefaultCredentialId}
      />
      <FallbacksInput options={options} value={fallbackCredentialIds} onChange={setFallbackCredentialIds} />
      {initial && rules && <RuleChanges mode={mode} before={initial} after={rules} accounts={accounts} />}
      {rules && <Findings of="draft" findings={findingsOf(mode, rules, accounts)} accounts={accounts} />}
    </DialogForm>
  );
}
