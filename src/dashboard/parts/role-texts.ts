import { texts } from '../base/language.tsx';

export const roleTexts = texts(
  { owner: 'Proprietário', developer: 'Desenvolvedor', support: 'Suporte', viewer: 'Somente leitura' },
  { owner: 'Owner', developer: 'Developer', support: 'Support', viewer: 'Viewer' },
);
