import { Alert, Button, Checkbox, Group, Stack } from '@mantine/core';
import { type FormEvent, useState } from 'react';
import { type Role, roles } from '../../../core/base/roles.ts';
import { roleTexts } from '../../parts/role-texts.ts';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { texts, useTexts } from '../../base/language.tsx';
import { useSession } from '../../base/use-session.ts';
import { notify, useServiceMutation, useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { secondFactorRolesDocument, setSecondFactorRolesDocument } from './documents.ts';
import { Section } from '../../ui/page.tsx';

const messages = texts(
  {
    title: 'Verificação em duas etapas obrigatória',
    about:
      'Pessoas com estas funções precisam ativar a verificação em duas etapas antes de continuar, mesmo que já tenham entrado.',
    roles: 'Exigir para as funções',
    save: 'Salvar',
    saved: 'Exigência salva.',
    own: 'Isto inclui você: ao salvar, será preciso ativar a sua.',
  },
  {
    title: 'Required two-step verification',
    about:
      'People with these roles must enable two-step verification before they can continue, even if they are already signed in.',
    roles: 'Required for',
    save: 'Save',
    saved: 'Requirement saved.',
    own: 'This includes you: you will have to enable yours after saving.',
  },
);

function RolesForm({ required }: { required: readonly Role[] }) {
  const text = useTexts(messages);
  const names = useTexts(roleTexts);
  const { may, role: myRole } = useWorkplace();
  const { me, refresh } = useSession();
  const [chosen, setChosen] = useState<readonly string[]>(required);
  const save = useServiceMutation(setSecondFactorRolesDocument);
  const send = (event: FormEvent) => {
    event.preventDefault();
    save.mutate(
      { roles: roles.filter((role) => chosen.includes(role)) },
      {
        onSuccess: () => {
          notify(text.saved);
          void refresh();
        },
      },
    );
  };
  const isSame = roles.every((role) => chosen.includes(role) === required.includes(role));
  return (
    <form onSubmit={send}>
      <Stack gap="sm">
        <Checkbox.Group label={text.roles} value={[...chosen]} onChange={setChosen}>
          <Group mt="xs">
            {roles.map((role) => (
              <Checkbox key={role} value={role} label={names[role]} disabled={!may('settings:manage')} />
            ))}
          </Group>
        </Checkbox.Group>
        {!me.twoFactorEnabled && chosen.includes(myRole) && !required.includes(myRole) && (
          <Alert color="yellow">{text.own}</Alert>
        )}
        <ErrorAlert error={save.error} />
        {may('settings:manage') && (
          <Group>
            <Button type="submit" variant="default" loading={save.isPending} disabled={isSame}>
              {text.save}
            </Button>
          </Group>
        )}
      </Stack>
    </form>
  );
}

export function SecondFactorRoles() {
  const text = useTexts(messages);
  const result = useServiceQuery(secondFactorRolesDocument, {});
  return (
    <Section title={text.title} about={text.about}>
      <QueryResult result={result}>
        {({ organizationSettings: { secondFactorRoles } }) => (
          <RolesForm key={secondFactorRoles.join()} required={secondFactorRoles} />
        )}
      </QueryResult>
    </Section>
  );
}
