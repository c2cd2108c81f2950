import { ServiceError } from '../api/service-error.ts';
import { texts, useTexts } from '../base/language.tsx';

const messages = texts<Readonly<Record<string, string>>>(
  {
    INVALID_EMAIL_OR_PASSWORD: 'E-mail ou senha incorretos.',
    INVALID_PASSWORD: 'Senha incorreta.',
    PASSWORD_TOO_SHORT: 'A nova senha precisa ter pelo menos 12 caracteres.',
    PASSWORD_TOO_LONG: 'A nova senha é longa demais.',
    SAME_PASSWORD: 'A nova senha precisa ser diferente da atual.',
    INVALID_CODE: 'Código incorreto.',
    INVALID_BACKUP_CODE: 'Código incorreto.',
    INVALID_TWO_FACTOR_COOKIE: 'O tempo se esgotou. Entre novamente com e-mail e senha.',
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Muitos códigos incorretos. Entre novamente com e-mail e senha.',
    ACCOUNT_TEMPORARILY_LOCKED: 'Muitos códigos incorretos. Aguarde alguns minutos e tente novamente.',
    CODE_ALREADY_USED: 'Este código já foi usado. Aguarde o próximo.',
    SECOND_FACTOR_REQUIRED: 'Sua organização exige a verificação em duas etapas para a sua função.',
  },
  {
    INVALID_EMAIL_OR_PASSWORD: 'Incorrect e-mail or password.',
    INVALID_PASSWORD: 'Incorrect password.',
    PASSWORD_TOO_SHORT: 'The new password must have at least 12 characters.',
    PASSWORD_TOO_LONG: 'The new password is too long.',
    SAME_PASSWORD: 'The new password must be different from the current one.',
    INVALID_CODE: 'Incorrect code.',
    INVALID_BACKUP_CODE: 'Incorrect code.',
    INVALID_TWO_FACTOR_COOKIE: 'Your sign-in has timed out. Sign in again with your e-mail and password.',
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE:
      'Too many incorrect codes. Sign in again with your e-mail and password.',
    ACCOUNT_TEMPORARILY_LOCKED: 'Too many incorrect codes. Wait a few minutes and try again.',
    CODE_ALREADY_USED: 'This code has already been used. Wait for the next one.',
    SECOND_FACTOR_REQUIRED: 'Your organization requires two-step verification for your role.',
  },
);

/** Words the errors of the sign-in library, which has codes of its own. */
export function useTranslatedError(): (error: unknown) => unknown {
  const translations = useTexts(messages);
  return (error) => {
    if (!(error instanceof ServiceError)) return error;
    const wording = translations[error.code];
    return wording ? new ServiceError({ ...error, wording }) : error;
  };
}
