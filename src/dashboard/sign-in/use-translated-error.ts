import { Refusal } from '../api/service-error.ts';
import { texts, useTexts } from '../shell/language.tsx';

const said = texts<Readonly<Record<string, string>>>(
  {
    INVALID_EMAIL_OR_PASSWORD: 'E-mail ou senha incorretos.',
    INVALID_PASSWORD: 'Senha incorreta.',
    PASSWORD_TOO_SHORT: 'A senha nova precisa ter pelo menos 12 caracteres.',
    PASSWORD_TOO_LONG: 'A senha nova é longa demais.',
    SAME_PASSWORD: 'A senha nova precisa ser diferente da atual.',
    INVALID_CODE: 'Código incorreto.',
    INVALID_BACKUP_CODE: 'Código incorreto.',
    INVALID_TWO_FACTOR_COOKIE: 'O tempo acabou: entre de novo com e-mail e senha.',
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Códigos errados demais: entre de novo com e-mail e senha.',
    ACCOUNT_TEMPORARILY_LOCKED: 'Códigos errados demais. Espere alguns minutos e tente de novo.',
    CODE_ALREADY_USED: 'Este código já foi usado: espere o próximo.',
    SECOND_FACTOR_REQUIRED: 'Sua organização exige a verificação em duas etapas para a sua função.',
  },
  {
    INVALID_EMAIL_OR_PASSWORD: 'Wrong e-mail or password.',
    INVALID_PASSWORD: 'Wrong password.',
    PASSWORD_TOO_SHORT: 'The new password needs at least 12 characters.',
    PASSWORD_TOO_LONG: 'The new password is too long.',
    SAME_PASSWORD: 'The new password must be another than the current one.',
    INVALID_CODE: 'Wrong code.',
    INVALID_BACKUP_CODE: 'Wrong code.',
    INVALID_TWO_FACTOR_COOKIE: 'The time is over: sign in again with e-mail and password.',
    TOO_MANY_ATTEMPTS_REQUEST_NEW_CODE: 'Too many wrong codes: sign in again with e-mail and password.',
    ACCOUNT_TEMPORARILY_LOCKED: 'Too many wrong codes. Wait a few minutes and try again.',
    CODE_ALREADY_USED: 'This code was used already: wait for the next one.',
    SECOND_FACTOR_REQUIRED: 'Your organization requires two-step verification for your role.',
  },
);

/** A refusal of the sign-in in the person's language; what has no words here stays as it is. */
export function useTold(): (error: unknown) => unknown {
  const words = useTexts(said);
  return (error) => {
    if (!(error instanceof Refusal)) return error;
    const message = words[error.code];
    return message ? new Refusal({ ...error, message }) : error;
  };
}
