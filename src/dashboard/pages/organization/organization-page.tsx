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
import { OrganizationRateLimit } from './organization-rate-limit.tsx';

const messages = texts(
  {
    title: 'Organização',
    about:
      'Como a organização aparece para quem paga, o fuso horário do painel e o limite das chaves de API.',
    readOnly: 'Somente proprietários editam estes dados.',
  },
  {
    title: 'Organization',
    about:
      'How the organization appears to payers, the time zone of the dashboard and the limit of API keys.',
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
        {({ organizationProfile: profile, organizationSettings: limits }) => (
          <Stack gap="xl">
            {isEditable && <OrganizationName />}
            <Logo profile={profile} isEditable={isEditable} />
            <Appearance profile={profile} isEditable={isEditable} />
            {isEditable && <OrganizationRateLimit limits={limits} />}
          </Stack>
        )}
      </QueryResult>
    </Page>
  );
}
