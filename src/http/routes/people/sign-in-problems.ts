import { isJsonObject } from '../../../core/base/json/json-object.ts';
import { type Problem, problem } from '../../../core/base/problems/rules.ts';
import { maximumPasswordLength, minimumPasswordLength } from '../../../core/people/sign-in/own-password.ts';

/** The keys are the library's codes. */
const problemsOfCode: Readonly<Record<string, Problem>> = {
  INVALID_EMAIL: problem('email', 'email'),
  INVALID_EMAIL_OR_PASSWORD: problem('password', 'incorrect'),
  INVALID_PASSWORD: problem('password', 'incorrect'),
  PASSWORD_TOO_SHORT: problem('newPassword', 'min_length', { minimum: minimumPasswordLength }),
  PASSWORD_TOO_LONG: problem('newPassword', 'max_length', { maximum: maximumPasswordLength }),
  SAME_PASSWORD: problem('newPassword', 'different_from', { other: 'currentPassword' }),
  INVALID_CODE: problem('code', 'incorrect'),
  INVALID_BACKUP_CODE: problem('code', 'incorrect'),
  CODE_ALREADY_USED: problem('code', 'already_used'),
  TRUST_DEVICE_OFF: problem('trustDevice', 'not_allowed'),
};

/** The library's own validation names fields in its message: `[body.email] Invalid input; [body.password] …`. */
function invalidFields(message: string, input: unknown): Problem[] {
  const names = [...message.matchAll(/\[body\.(\w+)\]/g)].flatMap(([, name]) => name ?? []);
  const given = isJsonObject(input) ? input : {};
  return [...new Set(names)].map((name) =>
    problem(name, given[name] === undefined || given[name] === '' ? 'required' : 'invalid'),
  );
}

/** What a refusal of the sign-in library says about the fields of the request. */
export function signInProblems(
  path: string,
  input: unknown,
  { code, message }: { code: string | undefined; message: string },
): Problem[] {
  if (code === 'VALIDATION_ERROR') return invalidFields(message, input);
  if (code === 'INVALID_PASSWORD' && path === '/change-password')
    return [problem('currentPassword', 'incorrect')];
  const known = code === undefined ? undefined : problemsOfCode[code];
  return known ? [known] : [];
}
