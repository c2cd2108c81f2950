import { Anchor, Code, Text } from '@mantine/core';
import { ShownOnce } from '../../ui/shown-once.tsx';
import { texts, useTexts } from '../../shell/language.tsx';

const said = texts(
  {
    title: 'Segredo do endpoint',
    before: 'Com ele seu servidor confere que cada webhook veio deste serviço. A assinatura segue ',
    after: ', que tem bibliotecas para a maioria das linguagens; em TypeScript:',
  },
  {
    title: 'Secret of the endpoint',
    before: 'With it your server verifies that each webhook came from this service. The signature follows ',
    after: ', which has libraries for most languages; in TypeScript:',
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
