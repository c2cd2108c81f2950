import { texts, useTexts } from '../../base/language.tsx';
import { Card } from '../../sign-in/card.tsx';
import { LinkForm } from './link-form.tsx';
import { LinkPage } from './link-page.tsx';
import { links } from '../../sign-in/links.ts';

const messages = texts(
  {
    title: 'Crie uma nova senha',
    about: 'Depois de salvar, entre com a nova senha.',
    save: 'Salvar senha',
  },
  {
    title: 'Choose a new password',
    about: 'After saving, sign in with your new password.',
    save: 'Save password',
  },
);

function NewPassword({ email }: { email: string }) {
  const text = useTexts(messages);
  return (
    <Card title={text.title} about={text.about}>
      <LinkForm
        email={email}
        submit={text.save}
        onSubmit={async (password) => {
          await links.chooseNewPassword(password);
          location.replace('/dashboard');
        }}
      />
    </Card>
  );
}

export default function NewPasswordPage() {
  return (
    <LinkPage name="new-password" read={links.readNewPassword}>
      {({ email }) => <NewPassword email={email} />}
    </LinkPage>
  );
}
