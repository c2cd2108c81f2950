import { Anchor, List, Text } from '@mantine/core';
import { Link } from 'wouter';
import { texts, useTexts } from '../../shell/language.tsx';
import { Step } from './step.tsx';

const said = texts(
  {
    title: 'E agora',
    webhook: 'Adicione um endpoint de webhook',
    webhookAbout: 'para o seu sistema saber na hora que foi pago',
    reference: 'Leia a referência da API',
    referenceAbout: 'para integrar o resto',
    people: 'Convide pessoas',
    peopleAbout: 'e diga o que cada uma pode',
    credential: 'Adicione uma credencial',
    credentialAbout: 'de um provedor, para receber dinheiro de verdade',
  },
  {
    title: 'And now',
    webhook: 'Add a webhook endpoint',
    webhookAbout: 'so that your system knows at once what is paid',
    reference: 'Read the API reference',
    referenceAbout: 'to integrate the rest',
    people: 'Invite people',
    peopleAbout: 'and say who may what',
    credential: 'Add a credential',
    credentialAbout: 'of a provider, to receive real money',
  },
);

const places = [
  ['/webhooks', 'webhook', 'webhookAbout'],
  ['/members', 'people', 'peopleAbout'],
  ['/credentials', 'credential', 'credentialAbout'],
] as const;

export function NextStep() {
  const text = useTexts(said);
  return (
    <Step number={4} title={text.title}>
      <List spacing="xs" size="sm" listStyleType="disc">
        <List.Item>
          <Anchor href="/docs" inherit>
            {text.reference}
          </Anchor>{' '}
          <Text span inherit c="dimmed">
            {text.referenceAbout}
          </Text>
        </List.Item>
        {places.map(([path, name, about]) => (
          <List.Item key={path}>
            <Anchor component={Link} href={path} inherit>
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
