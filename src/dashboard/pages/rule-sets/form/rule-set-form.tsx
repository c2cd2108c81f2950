import { Checkbox, Input, Select, Stack } from '@mantine/core';
import { useEffect, useRef, useState } from 'react';
import { TextInput } from '../../../ui/inputs/fields.tsx';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { useWorkplace } from '../../../base/use-workplace.ts';
import {
  type Accounts,
  colorOf,
  compareStretches,
  defaultOf,
  findingsOf,
  stretchesOf,
} from '../base/accounts.ts';
import { AmountRuler } from '../base/amount-ruler.tsx';
import type { Rules } from '../base/documents.ts';
import { fieldOf } from '../base/field-of.ts';
import { Findings } from '../base/findings.tsx';
import { HoursPicture } from '../base/hours-picture.tsx';
import { RuleChanges } from '../base/rule-changes.tsx';
import { SplitPicture } from '../base/split-picture.tsx';
import { FallbacksInput } from './fallbacks-input.tsx';
import {
  completeRange,
  completeShare,
  completeWindow,
  followingRange,
  followingShare,
  followingWindow,
  type RangeEntry,
  type ShareEntry,
  type WindowEntry,
} from './drafts.ts';
import { EntriesInput } from './entries-input.tsx';
import { RangeInputs, ShareInput, WindowInputs } from './entry-inputs.tsx';
import { TryRules } from './try-rules.tsx';
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
    prefer: 'Preferir a mais barata',
    preferAbout:
      'Entre faixas que contêm o valor e entre contingências, pelas tarifas informadas nas credenciais.',
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
    prefer: 'Prefer the cheapest',
    preferAbout:
      'Among ranges that contain the amount and among fallbacks, by the fees given at the credentials.',
    window: (number: number) => `Hours ${number}`,
    range: (number: number) => `Range ${number}`,
    share: (number: number) => `Share ${number}`,
  },
);

interface Props {
  initial?: Rules;
  /** Where editing begins, as a path in the input. */
  field?: string | undefined;
  accounts: Accounts;
  label: string;
  mutation: { isPending: boolean; error: unknown };
  onSubmit: (rules: Rules) => void;
  onCancel: () => void;
}

const present = <Entry,>(entries: readonly (Entry | undefined)[]): Entry[] =>
  entries.filter((each) => each !== undefined);

export default function RuleSetForm({
  initial,
  field = 'name',
  accounts,
  label,
  mutation,
  onSubmit,
  onCancel,
}: Props) {
  const text = useTexts(messages);
  const { mode } = useWorkplace();
  const [name, setName] = useState(initial?.name ?? '');
  const [defaultCredentialId, setDefaultCredentialId] = useState(initial?.defaultCredentialId ?? null);
  // Duplicates have no effect, and the input does not support them.
  const [fallbackCredentialIds, setFallbackCredentialIds] = useState([
    ...new Set(initial?.fallbackCredentialIds),
  ]);
  const [prefer, setPrefer] = useState(initial?.prefer ?? null);
  const windows = useDrafts<WindowEntry>(initial?.when ?? [], followingWindow);
  const ranges = useDrafts<RangeEntry>(initial?.ranges ?? [followingRange([])], followingRange);
  const shares = useDrafts<ShareEntry>(initial?.split ?? [], followingShare);
  const options = [...accounts.values()].map(({ id, name: label }) => ({
    value: id,
    label,
    color: colorOf(id, accounts),
  }));
  const organizationDefault = defaultOf(accounts);
  const complete = {
    when: present(windows.drafts.map(completeWindow)),
    ranges: present(ranges.drafts.map(completeRange)),
    split: present(shares.drafts.map(completeShare)),
    defaultCredentialId,
    fallbackCredentialIds,
    prefer,
  };
  const isComplete =
    complete.when.length === windows.drafts.length &&
    complete.ranges.length === ranges.drafts.length &&
    complete.split.length === shares.drafts.length;
  const rules = isComplete ? complete : undefined;
  const stretches = initial
    ? compareStretches(mode, initial, complete, accounts)
    : stretchesOf(mode, complete, accounts);
  const inputs = useRef<HTMLDivElement>(null);
  const inputOf = (path: string) =>
    inputs.current?.querySelector<HTMLInputElement>(`[data-field="${path}"] input`);
  const focus = (path: string) => {
    inputOf(path)?.focus();
  };
  const [first] = useState(field);
  useEffect(() => {
    // The dialog focuses what is marked so, if it opens after this.
    inputOf(first)?.setAttribute('data-autofocus', 'true');
    focus(first);
  }, [first]);
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
      <Stack ref={inputs}>
        <TextInput
          label={text.name}
          required
          wrapperProps={{ 'data-field': 'name' }}
          error={fieldError('name')}
          value={name}
          onChange={(event) => {
            setName(event.currentTarget.value);
          }}
        />
        <HoursPicture windows={windows.drafts} accounts={accounts} onEdit={focus} />
        <EntriesInput
          entries={windows}
          options={options}
          nameOf={text.window}
          add={text.addWindow}
          field="when"
          errorOf={fieldError}
          isOrdered
        >
          {(entry, change) => <WindowInputs entry={entry} onChange={change} />}
        </EntriesInput>
        <AmountRuler
          stretches={stretches}
          accounts={accounts}
          onEdit={(stretch, id) => {
            focus(fieldOf({ ...complete, ranges: ranges.drafts, split: shares.drafts }, stretch, id));
          }}
        />
        <EntriesInput
          entries={ranges}
          options={options}
          nameOf={text.range}
          add={text.addRange}
          field="ranges"
          errorOf={fieldError}
          isOrdered
        >
          {(entry, change) => <RangeInputs entry={entry} onChange={change} />}
        </EntriesInput>
        <SplitPicture
          split={shares.drafts}
          defaultCredentialId={defaultCredentialId}
          accounts={accounts}
          onEdit={focus}
        />
        <EntriesInput
          entries={shares}
          options={options}
          nameOf={text.share}
          add={text.addShare}
          field="split"
          errorOf={fieldError}
        >
          {(entry, change) => <ShareInput entry={entry} onChange={change} />}
        </EntriesInput>
        {fieldError('split') && <Input.Error>{fieldError('split')}</Input.Error>}
        <Select
          wrapperProps={{ 'data-field': 'defaultCredentialId' }}
          label={text.default}
          placeholder={organizationDefault ? text.ofOrganization(organizationDefault.name) : text.none}
          clearable
          data={options}
          value={defaultCredentialId}
          onChange={setDefaultCredentialId}
        />
        <FallbacksInput options={options} value={fallbackCredentialIds} onChange={setFallbackCredentialIds} />
        <Checkbox
          label={text.prefer}
          description={text.preferAbout}
          checked={prefer === 'cheapest'}
          onChange={({ currentTarget }) => {
            setPrefer(currentTarget.checked ? 'cheapest' : null);
          }}
        />
        {initial && rules && (
          <RuleChanges mode={mode} before={initial} after={rules} accounts={accounts} isDrawn={false} />
        )}
        {rules && <TryRules rules={rules} accounts={accounts} />}
        {rules && <Findings of="draft" findings={findingsOf(mode, rules, accounts)} accounts={accounts} />}
      </Stack>
    </DialogForm>
  );
}
