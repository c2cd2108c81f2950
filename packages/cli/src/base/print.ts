import type { Command } from 'commander';

/** Whether --json was given anywhere on the command line. */
export const isJson = (command: Command): boolean => command.optsWithGlobals<{ json?: true }>().json === true;

function textOf(value: unknown): string {
  if (value === null || value === undefined) return '-';
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value) && value.every((each) => typeof each === 'string'))
    return textOf(value.join(', ') || '-');
  // On a line of its own it would look like another member.
  return typeof value === 'string' ? value.replaceAll('\n', '\\n') : JSON.stringify(value);
}

/** Names the characters with which somebody's text would move the cursor, recolour or answer a terminal, or turn a line around. */
export const visible = (text: string): string =>
  text.replace(
    /(?![\n\t])[\p{Cc}\p{Bidi_Control}\u2028\u2029]/gu,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );

/** Writes to a file rather than a terminal. */
export const writeUnchanged = (command: Command, text: string): void =>
  command.configureOutput().writeOut?.(text);

export const write = (command: Command, text: string): void => writeUnchanged(command, visible(text));

/** Prints exactly one JSON value with --json, otherwise readable lines. */
export function print(command: Command, result: object | readonly object[]): void {
  if (isJson(command)) {
    write(command, `${JSON.stringify(result)}\n`);
    return;
  }
  const blocks = [result].flat().map((item) =>
    Object.entries(item)
      .map(([name, value]) => `${name.padEnd(16)} ${textOf(value)}`)
      .join('\n'),
  );
  write(command, `${blocks.join('\n\n')}\n`);
}

/** Prints a list; with --json, as the service has it. */
export function printList(command: Command, data: object[]): void {
  print(command, isJson(command) ? { data } : data);
}

/** Prints a line as something happens; with --json, an object. */
export const sayLine = (command: Command, line: object, text: string): void =>
  write(command, isJson(command) ? `${JSON.stringify(line)}\n` : `${text}\n`);
