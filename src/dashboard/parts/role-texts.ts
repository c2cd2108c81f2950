import { texts } from '../shell/language.tsx';

export const roleTexts = texts(
  { owner: 'Dono', developer: 'Desenvolvedor', support: 'Suporte', viewer: 'Leitor' },
  { owner: 'Owner', developer: 'Developer', support: 'Support', viewer: 'Viewer' },
);
