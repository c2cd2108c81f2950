import type { Request } from 'express';
import { type Language, languages } from './texts.ts';

const tagOf = (language: Language): string => language.slice(0, 2);

/** The language of ours that the browser prefers; Portuguese if there is none. */
export function languageOf(request: Request): Language {
  const asked = request.acceptsLanguages(...languages.flatMap((language) => [language, tagOf(language)]));
  return languages.find((language) => asked !== false && asked.startsWith(tagOf(language))) ?? 'pt-BR';
}
