import { texts, useTexts } from '../../base/language.tsx';
import { notify, useServiceMutation } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { ConfirmButton } from '../../ui/confirm-button.tsx';
import { clearDefaultRuleSetDocument, type RuleSet, setDefaultRuleSetDocument } from './base/documents.ts';

const messages = texts(
  {
    set: 'Tornar padrão',
    setAbout: {
      test: 'Cobranças de teste que não informam credencial nem regra passam a seguir esta regra.',
      live: 'Cobranças de produção que não informam credencial nem regra passam a seguir esta regra.',
    },
    done: 'Regra padrão definida.',
    clear: 'Remover como padrão',
    clearAbout: {
      test: 'Cobranças de teste que não informam credencial nem regra voltam a usar a credencial padrão.',
      live: 'Cobranças de produção que não informam credencial nem regra voltam a usar a credencial padrão. Sem ela, serão recusadas.',
    },
    cleared: 'Não há mais regra padrão.',
  },
  {
    set: 'Make default',
    setAbout: {
      test: 'Test payments that name neither credential nor rule will follow this rule.',
      live: 'Live payments that name neither credential nor rule will follow this rule.',
    },
    done: 'This is now the default.',
    clear: 'Remove as default',
    clearAbout: {
      test: 'Test payments that name neither credential nor rule will use the default credential again.',
      live: 'Live payments that name neither credential nor rule will use the default credential again. Without one they will be refused.',
    },
    cleared: 'There is no default rule any more.',
  },
);

/** Only those who may manage rule sets see it; it counts for the mode that is shown. */
export function DefaultRuleSet({ ruleSet: { id, name, isDefault } }: { ruleSet: RuleSet }) {
  const text = useTexts(messages);
  const { mode } = useWorkplace();
  const set = useServiceMutation(setDefaultRuleSetDocument);
  const clear = useServiceMutation(clearDefaultRuleSetDocument);
  const finish = (close: () => void, done: string) => ({
    onSuccess: () => {
      close();
      notify(done);
    },
  });
  return isDefault ? (
    <ConfirmButton
      label={text.clear}
      subject={name}
      mutation={clear}
      onConfirm={(close) => {
        clear.mutate({}, finish(close, text.cleared));
      }}
    >
      {text.clearAbout[mode]}
    </ConfirmButton>
  ) : (
    <ConfirmButton
      label={text.set}
      subject={name}
      mutation={set}
      onConfirm={(close) => {
        set.mutate({ id }, finish(close, text.done));
      }}
    >
      {text.setAbout[mode]}
    </ConfirmButton>
  );
}
