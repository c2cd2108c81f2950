import { Anchor, Code, Text } from '@mantine/core';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { texts, useTexts } from '../../shell/language.tsx';

const said = texts(
  {
    title: 'Segredo de assinatura do webhook',
    before: 'Use-o no seu servidor para verificar a autenticidade de cada webhook. A assinatura segue o padrão ',
    after: ', com bibliotecas para a maioria das linguagens. Em TypeScript:',
  },
  {
    title: 'Webhook signing secret',
    before: 'Your server uses it to verify that each webhook came from this service. Signatures follow ',
    after: ', with libraries for most languages. In TypeScript:',
  },
);

/** The secret of an endpoint, once, and what it is for. */
export function NewSecret({ secret, onClose }: { secret: string | undefined; onClose: () => void }) {
  const text = useTexts(said);
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
