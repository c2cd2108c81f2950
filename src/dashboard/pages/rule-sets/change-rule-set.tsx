import { Button } from '@mantine/core';
import { useDisclosure } from '@mantine/hooks';
import { Dialog } from '../../ui/dialog.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation } from '../../base/use-service.ts';
import type { Accounts } from './base/accounts.ts';
import { type RuleSet, updateRuleSetDocument } from './base/documents.ts';
import { RuleSetForm } from './form/rule-set-form.tsx';

const messages = texts(
  { change: 'Editar', save: 'Salvar alterações', saved: 'Regra atualizada.' },
  { change: 'Edit', save: 'Save changes', saved: 'Routing rule updated.' },
);

/** Requires `rule-sets:manage`. */
export function ChangeRuleSet({ ruleSet, accounts }: { ruleSet: RuleSet; accounts: Accounts }) {
  const text = useTexts(messages);
  const { id, ...initial } = ruleSet;
  const [isOpen, { open, close }] = useDisclosure(false);
  const update = useServiceMutation(updateRuleSetDocument);
  const saved = () => {
    close();
    notify(text.saved);
  };
  return (
    <>
      <Button
        variant="default"
        size="xs"
        aria-label={`${text.change}: ${initial.name}`}
        onClick={() => {
          update.reset();
          open();
        }}
      >
        {text.change}
      </Button>
      <Dialog opened={isOpen} onClose={close} title={`${text.change}: ${initial.name}`} size="lg">
        <RuleSetForm
          initial={initial}
          accounts={accounts}
          label={text.save}
          mutation={update}
          onCancel={close}
          onSubmit={(input) => {
            update.mutate({ id, input }, { onSuccess: saved });
          }}
        />
      </Dialog>
    </>
  );
}
