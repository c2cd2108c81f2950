import { Alert, Stack } from '@mantine/core';
import { Info } from 'lucide-react';
import { texts, useTexts } from '../../base/language.tsx';
import { useServiceQuery } from '../../base/use-service.ts';
import { useWorkplace } from '../../base/use-workplace.ts';
import { Page } from '../../ui/page.tsx';
import { QueryResult } from '../../ui/query-result.tsx';
import { Appearance } from './appearance.tsx';
import { organizationProfileDocument } from './documents.ts';
import { Logo } from './logo.tsx';
import { OrganizationName } from './organization-name.tsx';

const messages = texts(
  {
    title: 'Organização',
    about: 'Como a organização aparece para quem paga, e o fuso horário do painel.',
    readOnly: 'Apenas proprietários editam estes dados.',
  },
  {
    title: 'Organization',
    about: 'How the organization appears to payers, and the time zone of the dashboard.',
    readOnly: 'Only owners can edit these details.',
  },
);

export default function OrganizationPage() {
  const text = useTexts(messages);
  const { may } = useWorkplace();
  const isEditable = may('settings:manage');
  const result = useServiceQuery(organizationProfileDocument, {});
  return (
    <Page title={text.title} about={text.about}>
      {!isEditable && (
        <Alert color="gray" icon={<Info />}>
          {text.readOnly}
        </Alert>
      )}
      <QueryResult result={result}>
        {({ organizationProfile: profile }) => (
          <Stack gap="xl">
            {isEditable && <OrganizationName />}
            <Logo profile={profile} isEditable={isEditable} />
            <Appearance profile={profile} isEditable={isEditable} />
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}
