/**
 * Like JSON.parse, but takes line breaks, tabs and other control characters inside strings as they are. JSON (RFC 8259,
 * 7) forbids them, yet banks send them where payers typed them. PostgreSQL stores neither NUL nor half a surrogate pair in text
 * (doc "JSON Types"), so NUL is left out of strings and the half is replaced. Throws a SyntaxError for other invalid JSON.
 */
export function parseRepairedJson(text: string): unknown {
  // Some servers begin with a byte order mark.
  const body = text.startsWith('\uFEFF') ? text.slice(1) : text;
  try {
    return parseStorable(body);
  } catch (error) {
    const repaired = withEscapedControls(body);
    if (repaired === body) throw error;
    return parseStorable(repaired);
  }
}

/** Only an escape can bring either: the text itself was decoded from UTF-8, and what is raw has been escaped. */
const unstorableEscape = /\\u(?:0000|d[89a-f])/i;

const storable = (_: string, value: unknown): unknown =>
  typeof value === 'string' ? value.replaceAll('\0', '').toWellFormed() : value;

const parseStorable = (text: string): unknown =>
  unstorableEscape.test(text) ? JSON.parse(text, storable) : JSON.parse(text);

const isControl = (code: number): boolean => code < 0x20;

/** Takes one pass without a pattern, because the text is a stranger's and may be long. */
function withEscapedControls(text: string): string {
  const pieces: string[] = [];
  let start = 0;
  let isInString = false;
  for (let index = 0; index < text.length; index += 1) {
    const code = text.charCodeAt(index);
    if (!isInString) isInString = code === 0x22;
    else if (code === 0x5c) index += 1;
    else if (code === 0x22) isInString = false;
    else if (isControl(code)) {
      pieces.push(text.slice(start, index), `\\u${code.toString(16).padStart(4, '0')}`);
      start = index + 1;
    }
  }
  return pieces.join('') + text.slice(start);
}
