import { Button, MultiSelect, Select, TextInput } from '@mantine/core';
import { Plus } from 'lucide-react';
import { useState } from 'react';
import { DialogForm } from '../../parts/dialog-form.tsx';
import { texts, useTexts } from '../../shell/language.tsx';
import { useServiceMutation } from '../../shell/use-service.ts';
import { type Accounts, defaultOf, findingsOf } from './accounts.ts';
import { createRuleSetDocument } from './documents.ts';
import { Findings } from './findings.tsx';
import { RangeRow } from './range-row.tsx';
import { useDrafts } from './use-drafts.ts';

const said = texts(
  {
    name: 'Nome',
    addRange: 'Adicionar faixa',
    default: 'Depois, ou fora das faixas',
    ofOrganization: (name: string) => `A padrão da organização: ${name}`,
    none: 'Ninguém',
    fallbacks: 'Por último',
    fallbacksAbout: 'Na ordem em que você escolhe.',
    create: 'Criar regra',
  },
  {
    name: 'Name',
    addRange: 'Add a range',
    default: 'Next, or out of the ranges',
    ofOrganization: (name: string) => `The default of the organization: ${name}`,
    none: 'Nobody',
    fallbacks: 'At last',
    fallbacksAbout: 'In the order in which you choose them.',
    create: 'Create rule set',
  },
);

interface Props {
  accounts: Accounts;
  onCreated: () => void;
  onCancel: () => void;
}

export function NewRuleSetForm({ accounts, onCreated, onCancel }: Props) {
  const text = useTexts(said);
  const [name, setName] = useState('');
  const [defaultCredentialId, setDefaultCredentialId] = useState<string | null>(null);
  const [fallbackCredentialIds, setFallbackCredentialIds] = useState<string[]>([]);
  const { drafts, whole, add, change, remove } = useDrafts();
  const create = useServiceMutation(createRuleSetDocument);
  const options = [...accounts.values()].map(({ id, name: label }) => ({ value: id, label }));
  const organizationDefault = defaultOf(accounts);
  const rules = whole && { ranges: whole, defaultCredentialId, fallbackCredentialIds };
  const send = () => {
    if (rules) create.mutate({ input: { name: name.trim(), ...rules } }, { onSuccess: onCreated });
  };
  return (
    <DialogForm
      submit={text.create}
      mutation={create}
      onSubmit={send}
      onCancel={onCancel}
      isDisabled={!rules}
    >
      <TextInput
        label={text.name}
        required
        data-autofocus
        value={name}
        onChange={(event) => {
          setName(event.currentTarget.value);
        }}
      />
      {drafts.map((draft, index) => (
        <RangeRow
          key={draft.key}
          number={index + 1}
          draft={draft}
          options={options}
          onChange={(changes) => {
            change(draft.key, changes);
          }}
          onRemove={
            drafts.length > 1
              ? () => {
                  remove(draft.key);
                }
              : undefined
          }
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
      <MultiSelect
        label={text.fallbacks}
        description={text.fallbacksAbout}
        clearable
        data={options}
        value={fallbackCredentialIds}
        onChange={setFallbackCredentialIds}
      />
      {rules && <Findings findings={findingsOf(rules, accounts)} accounts={accounts} />}
    </DialogForm>
  );
}
