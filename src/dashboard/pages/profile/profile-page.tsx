import { Button, Group, SegmentedControl, SimpleGrid, Stack, Text } from '@mantine/core';
import { type FormEvent, Suspense, useState } from 'react';
import { RoleName } from '../../parts/roles/role-name.tsx';
import { TextInput } from '../../ui/inputs/fields.tsx';
import { LoadingPlaceholder } from '../../ui/loading.tsx';
import { BorderedSection, Page } from '../../ui/page.tsx';
import { ErrorAlert } from '../../ui/error-alert.tsx';
import { type Language, useLanguage, useTexts } from '../../base/language.tsx';
import { useSession } from '../../base/use-session.ts';
import { notify } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { authentication } from '../../sign-in/authentication.ts';
import { ChangePasswordForm } from '../../sign-in/change-password-form.tsx';
import { useAuthentication } from '../../sign-in/use-authentication.ts';
import { AlertChoice } from './alert-choice.tsx';
import { LeaveOrganization } from './leave-organization.tsx';
import { Sessions } from './sessions.tsx';
import { profileTexts } from './texts.ts';
import { TwoStep } from './lazy-two-step.ts';

function You() {
  const text = useTexts(profileTexts);
  const { me, refresh } = useSession();
  const { role } = useWorkplace();
  const [name, setName] = useState(me.name);
  const change = useAuthentication(() => authentication.changeName(name.trim()));
  const send = (event: FormEvent) => {
    event.preventDefault();
    change.mutate(undefined, {
      onSuccess: () => {
        notify(text.saved);
        void refresh();
      },
    });
  };
  return (
    <BorderedSection title={text.you}>
      <form onSubmit={send}>
        <Stack>
          <TextInput label={text.email} value={me.email} readOnly variant="filled" />
          <Text size="sm">
            {text.role} <RoleName role={role} />
          </Text>
          <TextInput
            label={text.name}
            required
            withAsterisk={false}
            maxLength={100}
            autoComplete="name"
            value={name}
            onChange={(event) => {
              setName(event.currentTarget.value);
            }}
          />
          <ErrorAlert error={change.error} />
          <Group justify="flex-end">
            <Button
              type="submit"
              loading={change.isPending}
              disabled={!name.trim() || name.trim() === me.name}
            >
              {text.save}
            </Button>
          </Group>
        </Stack>
      </form>
    </BorderedSection>
  );
}

function LanguageChoice() {
  const text = useTexts(profileTexts);
  const { language, setLanguage } = useLanguage();
  return (
    <BorderedSection title={text.language} about={text.languageAbout}>
      <SegmentedControl
        aria-label={text.language}
        value={language}
        onChange={(value) => {
          setLanguage(value as Language);
        }}
        data={[
          { value: 'pt', label: 'Português' },
          { value: 'en', label: 'English' },
        ]}
      />
    </BorderedSection>
  );
}

export default function ProfilePage() {
  const text = useTexts(profileTexts);
  return (
    <Page title={text.title}>
      <SimpleGrid cols={{ base: 1, lg: 2 }}>
        <Stack>
          <You />
          <BorderedSection title={text.password} about={text.passwordAbout}>
            <ChangePasswordForm
              current={text.currentPassword}
              submit={text.changePassword}
              onChanged={() => {
                notify(text.passwordChanged);
              }}
            />
          </BorderedSection>
          <LeaveOrganization />
        </Stack>
        <Stack>
          <Suspense fallback={<LoadingPlaceholder heights={[150]} />}>
            <TwoStep />
          </Suspense>
          <Sessions />
          <LanguageChoice />
          <AlertChoice />
        </Stack>
      </SimpleGrid>
    </Page>
  );
}
