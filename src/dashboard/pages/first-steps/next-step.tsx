import { Anchor, List, Text } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useTexts } from '../../base/language.tsx';
import { Step } from './step.tsx';

const messages = texts(
  {
    title: 'Próximos passos',
    webhook: 'Adicione um endpoint de webhook',
    webhookAbout: 'para ser avisado assim que um pagamento for confirmado',
    reference: 'Leia a referência da API',
    referenceAbout: 'para conhecer todos os recursos',
    people: 'Convide pessoas',
    peopleAbout: 'e defina a função de cada uma',
    credential: 'Adicione uma credencial',
    credentialAbout: 'de um provedor, para receber pagamentos reais',
  },
  {
    title: 'Next steps',
    webhook: 'Add a webhook endpoint',
    webhookAbout: 'to be notified as soon as a payment is received',
    reference: 'Read the API reference',
    referenceAbout: 'to see everything you can integrate',
    people: 'Invite people',
    peopleAbout: 'and choose their roles',
    credential: 'Add a credential',
    credentialAbout: 'for a provider, to receive real payments',
  },
);

const places = [
  ['/webhooks', 'webhook', 'webhookAbout'],
  ['/members', 'people', 'peopleAbout'],
  ['/credentials', 'credential', 'credentialAbout'],
] as const;

export function NextStep() {
  const text = useTexts(messages);
  return (
    <Step number={4} title={text.title}>
      <List spacing="xs" size="sm" listStyleType="disc">
        <List.Item>
          <Anchor href="/docs/reference/" inherit underline="always">
            {text.reference}
          </Anchor>{' '}
          <Text span inherit c="dimmed">
            {text.referenceAbout}
          </Text>
        </List.Item>
        {places.map(([path, name, about]) => (
          <List.Item key={path}>
            <Anchor component={Link} href={path} inherit underline="always">
              {text[name]}
            </Anchor>{' '}
            <Text span inherit c="dimmed">
              {text[about]}
            </Text>
          </List.Item>
        ))}
      </List>
    </Step>
  );
}
