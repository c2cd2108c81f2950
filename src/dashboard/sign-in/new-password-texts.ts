import { texts } from '../shell/language.tsx';

export const passwordTexts = texts(
  {
    password: 'Nova senha',
    rule: 'Pelo menos 12 caracteres. Uma frase que só você usaria funciona bem.',
  },
  {
    password: 'New password',
    rule: 'At least 12 characters. A phrase only you would use works well.',
  },
);
