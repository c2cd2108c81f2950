import type { LocalizedText } from '../../base/localized-text.ts';
import type { MailMessage } from './mailer.ts';

type Language = keyof LocalizedText;

export interface MailedInvitation {
  organizationName: string;
  /** The inviter's address; null for the operator. */
  invitedBy: string | null;
  url: string;
  expiresAt: Date;
}

const languages = ['pt', 'en'] as const;

const locales: Record<Language, string> = { pt: 'pt-BR', en: 'en-US' };

/** Writes an instant in Brasília's time. */
const dateTime = (instant: Date, language: Language): string =>
  new Intl.DateTimeFormat(locales[language], {
    dateStyle: 'short',
    timeStyle: 'short',
    timeZone: 'America/Sao_Paulo',
  }).format(instant);

const invitation = {
  pt: {
    subject: (organization: string) => `Convite para ${organization}`,
    who: (organization: string, by: string | null) =>
      `${by ?? 'O operador do serviço'} convidou você para ${organization}. Aceite em:`,
    until: (at: string) => `O link vale uma vez, até ${at} (horário de Brasília).`,
  },
  en: {
    subject: (organization: string) => `Invitation to ${organization}`,
    who: (organization: string, by: string | null) =>
      `${by ?? 'The operator of the service'} has invited you to ${organization}. Accept at:`,
    until: (at: string) => `The link works once, until ${at} (Brasília time).`,
  },
} as const;

const recovery = {
  pt: {
    subject: 'Nova senha',
    what: 'Crie uma nova senha em:',
    until: (at: string) => `O link vale uma vez, até ${at} (horário de Brasília). Se não foi você, ignore.`,
  },
  en: {
    subject: 'New password',
    what: 'Choose a new password at:',
    until: (at: string) => `The link works once, until ${at} (Brasília time). If it was not you, ignore it.`,
  },
} as const;

/** Uses both languages, because whoever asked is not signed in. */
export const recoveryMessage = (url: string, expiresAt: Date): Omit<MailMessage, 'to'> => ({
  subject: languages.map((each) => recovery[each].subject).join(' / '),
  text: languages
    .map((each) => [recovery[each].what, url, recovery[each].until(dateTime(expiresAt, each))].join('\n\n'))
    .join('\n\n--\n\n'),
});

/** Organizations are named whatever people type; a line break could make the rest look like our own text. */
const inOneLine = (text: string): string => text.replace(/\s+/g, ' ').trim();

/** Uses both languages when the invitee's is unknown. */
export function invitationMessage(
  { organizationName, invitedBy, url, expiresAt }: MailedInvitation,
  language: string | undefined,
): Omit<MailMessage, 'to'> {
  const name = inOneLine(organizationName);
  const known = languages.filter((each) => each === language);
  const used = known.length > 0 ? known : languages;
  return {
    subject: used.map((each) => invitation[each].subject(name)).join(' / '),
    text: used
      .map((each) => {
        const { who, until } = invitation[each];
        return [who(name, invitedBy), url, until(dateTime(expiresAt, each))].join('\n\n');
      })
      .join('\n\n--\n\n'),
  };
}
