import { Button } from '@mantine/core';
import { lazy } from 'react';
import { Dialog } from '../../ui/dialog.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceMutation } from '../../base/use-service.ts';
import type { Accounts } from './base/accounts.ts';
import { type RuleSet, updateRuleSetDocument } from './base/documents.ts';

const RuleSetForm = lazy(() => import('./form/rule-set-form.tsx'));

const messages = texts(
  { change: 'Editar', save: 'Salvar alterações', saved: 'Regra atualizada.' },
  { change: 'Edit', save: 'Save changes', saved: 'Routing rule updated.' },
);

interface ChangeRuleSetProps {
  ruleSet: RuleSet;
  accounts: Accounts;
  /** Where editing begins, as a path in the input; undefined while nothing is edited. */
  field: string | undefined;
  onField: (field: string | undefined) => void;
}

/** Requires `rule-sets:manage`. */
export function ChangeRuleSet({ ruleSet, accounts, field, onField }: ChangeRuleSetProps) {
  const text = useTexts(messages);
  const { id, ...initial } = ruleSet;
  const update = useServiceMutation(updateRuleSetDocument, text.saved);
  const title = `${text.change}: ${initial.name}`;
  const close = () => {
    onField(undefined);
    update.reset();
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={title}
        onClick={() => {
          onField('name');
        }}
      >
        {text.change}
      </Button>
      <Dialog opened={field !== undefined} onClose={close} title={title} size="lg">
        <RuleSetForm
          initial={initial}
          field={field}
          accounts={accounts}
          label={text.save}
          mutation={update}
          onCancel={close}
          onSubmit={(input) => {
            update.mutate({ id, input }, { onSuccess: close });
          }}
        />
      </Dialog>
    </>
  );
}
