import { texts } from '../shell/language.tsx';

export const passwordTexts = texts(
  {
    password: 'Nova senha',
    rule: 'Pelo menos 12 caracteres. Uma frase que só você usaria serve bem.',
  },
  {
    password: 'New password',
    rule: 'At least 12 characters. A sentence that only you would use does well.',
  },
);
