import { Anchor, Code, Text } from '@mantine/core';
import { ShownOnce } from '../../ui/copying/shown-once.tsx';
import { texts, useTexts } from '../../base/language.tsx';

const messages = texts(
  {
    title: 'Segredo de assinatura do webhook',
    before:
      'Use-o no seu servidor para verificar a autenticidade de cada webhook. A assinatura segue o padrão ',
    after: ', com bibliotecas para a maioria das linguagens. Em TypeScript:',
  },
  {
    title: 'Webhook signing secret',
    before: 'Your server uses it to verify that each webhook came from this service. Signatures follow ',
    after: ', with libraries for most languages. In TypeScript:',
  },
);

export function NewSecret({ secret, onClose }: { secret: string | undefined; onClose: () => void }) {
  const text = useTexts(messages);
  return (
    <ShownOnce title={text.title} secret={secret} onClose={onClose}>
      <Text size="sm">
        {text.before}
        <Anchor href="https://www.standardwebhooks.com" target="_blank" rel="noreferrer" underline="always">
          Standard Webhooks
        </Anchor>
        {text.after}
      </Text>
      <Code block>{'new Webhook(secret).verify(body, headers)'}</Code>
    </ShownOnce>
  );
}
