import { texts } from '../../shell/language.tsx';

export const memberTexts = texts(
  {
    title: 'Pessoas',
    about: 'Quem entra neste painel pela organização, e o que pode fazer.',
    readOnly: 'Só quem é dono convida, muda papéis e remove.',
    person: 'Pessoa',
    you: 'você',
    role: 'Papel',
    since: 'Desde',
    invite: 'Convidar pessoa',
    password: 'Senha provisória',
    passwordAbout: (email: string) =>
      `Entregue-a a ${email} por um canal seguro. No primeiro acesso será trocada por uma senha própria.`,
    change: 'Mudar papel',
    changeOf: (name: string) => `Papel de ${name}`,
    changed: 'O papel mudou.',
    own: 'É o seu próprio papel: se deixar de ser dono, só outro dono o devolve.',
    remove: 'Remover',
    removed: 'A pessoa foi removida.',
    removeAbout: (name: string) =>
      `${name} perde o acesso a esta organização imediatamente. Para voltar, precisa de um novo convite.`,
    leave: 'É você: sairá desta organização agora.',
    lastOwner: 'A organização precisa de um dono: torne outra pessoa dona primeiro.',
    roles: 'O que cada papel pode',
  },
  {
    title: 'People',
    about: 'Who signs in to this dashboard for the organization, and what they may do.',
    readOnly: 'Only owners invite, change roles and remove.',
    person: 'Person',
    you: 'you',
    role: 'Role',
    since: 'Since',
    invite: 'Invite a person',
    password: 'Temporary password',
    passwordAbout: (email: string) =>
      `Hand it to ${email} over a safe channel. At the first sign-in they replace it by one of their own.`,
    change: 'Change role',
    changeOf: (name: string) => `Role of ${name}`,
    changed: 'The role has changed.',
    own: 'This is your own role: once you are no longer an owner, only another owner gives it back.',
    remove: 'Remove',
    removed: 'The person is removed.',
    removeAbout: (name: string) =>
      `${name} loses access to this organization at once. To come back they need another invitation.`,
    leave: 'This is you: you leave this organization now.',
    lastOwner: 'An organization needs an owner: make somebody else an owner first.',
    roles: 'What each role may do',
  },
);
