import { Alert } from '@mantine/core';
import { Info } from 'lucide-react';
import { useState } from 'react';
import { TextInput } from '../../../ui/inputs/fields.tsx';
import { shownSettings } from '../../../../core/providers/rules/shown-settings.ts';
import { DialogButton } from '../../../ui/dialog.tsx';
import { DialogForm } from '../../../ui/dialog-form.tsx';
import { QueryResult } from '../../../ui/query-result.tsx';
import { useFieldErrors } from '../../../ui/problems/use-problems.ts';
import { texts, useTexts } from '../../../base/language.tsx';
import { notify, useServiceMutation, useServiceQuery } from '../../../base/use-service.ts';
import {
  checkCredentialDocument,
  type Credential,
  credentialSettingsDocument,
  type ProviderSettings,
  providerSettingsDocument,
  type StoredSetting,
  updateCredentialDocument,
} from '../base/documents.ts';
import { type FormSetting, SettingFields } from './setting-fields.tsx';
import { sentSettings, type SettingValues, textOf } from './setting-values.ts';

const messages = texts(
  {
    change: 'Editar',
    name: 'Nome',
    about:
      'Os segredos atuais não são exibidos: um campo vazio mantém o valor atual. Ao mudar uma URL, informe-os novamente.',
    sameAccount:
      'O ID e a URL de notificação não mudam, e as cobranças existentes passam a ser acompanhadas com os novos dados. Para outra conta, crie outra credencial.',
    save: 'Salvar alterações',
    saved: 'Alterações salvas. A credencial está sendo testada no provedor.',
  },
  {
    change: 'Edit',
    name: 'Name',
    about:
      'Current secrets are not shown: an empty field keeps its value. If you change a URL, enter them again.',
    sameAccount:
      'The ID and the notification URL stay the same, and existing payments are tracked with the new settings. For another account, create another credential.',
    save: 'Save changes',
    saved: 'Changes saved. The credential is being checked at the provider.',
  },
);

interface FormProps {
  credential: Credential;
  providers: readonly ProviderSettings[];
  stored: readonly StoredSetting[];
  onClose: () => void;
}

/** The stored settings are complete, so only another preset requires more, and secrets again: it is another address. */
const forPreset = (
  shown: readonly FormSetting[],
  stored: readonly string[],
  isChanged: boolean,
): FormSetting[] =>
  shown.map((each) => {
    const isKept = stored.includes(each.field.name) && !each.field.isSecret;
    return { ...each, isRequired: each.isRequired && isChanged && !isKept, isRemovable: !each.isRequired };
  });

/** The new preset has no use for these. */
const removed = (shown: readonly FormSetting[], stored: readonly string[]): Record<string, null> => {
  const names = new Set(shown.map(({ field }) => field.name));
  return Object.fromEntries(stored.filter((name) => !names.has(name)).map((name) => [name, null]));
};

/** Sends only what differs from the stored values that are shown, and removes what was emptied. */
const changesOf = (sent: Record<string, unknown>, shown: readonly StoredSetting[], values: SettingValues) => {
  const before = new Map(shown.map(({ name, value }) => [name, value]));
  const changed = Object.entries(sent).filter(([name, value]) => String(value) !== before.get(name));
  const emptied = shown.filter(({ name, value }) => value !== null && values[name] === '');
  return Object.fromEntries([...changed, ...emptied.map(({ name }) => [name, null] as const)]);
};

function ChangeForm({ credential, providers, stored: storedSettings, onClose }: FormProps) {
  const { id, provider, name: before } = credential;
  const presetBefore = credential.preset ?? '';
  const text = useTexts(messages);
  const [name, setName] = useState(before);
  const stored = storedSettings.map((each) => each.name);
  const visible = storedSettings.filter(({ value }) => value !== null);
  const [values, setValues] = useState<SettingValues>({
    ...Object.fromEntries(visible.map((each) => [each.name, each.value])),
    preset: presetBefore,
  });
  const update = useServiceMutation(updateCredentialDocument);
  const check = useServiceMutation(checkCredentialDocument);
  const fields = providers.find((each) => each.provider === provider)?.fields ?? [];
  const changeable = fields.filter(({ isFixed }) => !isFixed);
  const shown = shownSettings(changeable, (setting) => textOf(values[setting]));
  const preset = textOf(values['preset']);
  const isOtherPreset = preset !== presetBefore;
  const { preset: _preset, ...typed } = sentSettings(
    shown.map(({ field }) => field),
    values,
  );
  const isShown = ({ name: setting }: StoredSetting) => shown.some(({ field }) => field.name === setting);
  const sent = changesOf(typed, visible.filter(isShown), values);
  const settings = {
    ...sent,
    ...(isOtherPreset && {
      ...removed(
        shown,
        stored.filter((each) => changeable.some((field) => field.name === each)),
      ),
      preset: preset || null,
    }),
  };
  const input = {
    ...(name.trim() !== before && { name: name.trim() }),
    ...(Object.keys(settings).length > 0 && { settings }),
  };
  const fieldError = useFieldErrors(update.error);
  const saved = () => {
    onClose();
    notify(text.saved);
    if (Object.keys(settings).length > 0) check.mutate({ id });
  };
  return (
    <DialogForm
      submit={text.save}
      mutation={update}
      isDisabled={Object.keys(input).length === 0}
      fields={['name', ...shown.map(({ field }) => field.name)]}
      onCancel={onClose}
      onSubmit={() => {
        update.mutate({ id, input }, { onSuccess: saved });
      }}
    >
      <Alert color="gray" icon={<Info />}>
        {text.about} {text.sameAccount}
      </Alert>
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
      <SettingFields
        settings={forPreset(shown, stored, isOtherPreset)}
        values={values}
        stored={stored.filter((each) => visible.every((other) => other.name !== each))}
        error={update.error}
        onChange={setValues}
      />
    </DialogForm>
  );
}

function Change({ credential, onClose }: Pick<FormProps, 'credential' | 'onClose'>) {
  const settings = useServiceQuery(providerSettingsDocument, {});
  const stored = useServiceQuery(credentialSettingsDocument, { id: credential.id });
  return (
    <QueryResult result={settings}>
      {({ providerSettings }) => (
        <QueryResult result={stored}>
          {({ credentialSettings }) => (
            <ChangeForm
              credential={credential}
              providers={providerSettings}
              stored={credentialSettings}
              onClose={onClose}
            />
          )}
        </QueryResult>
      )}
    </QueryResult>
  );
}

/** Only those who may manage credentials see it. */
export function ChangeCredential({ credential }: { credential: Credential }) {
  const text = useTexts(messages);
  return (
    <DialogButton label={text.change} subject={credential.name} dialog={{ size: 'lg' }} size="xs">
      {(close) => <Change credential={credential} onClose={close} />}
    </DialogButton>
  );
}
