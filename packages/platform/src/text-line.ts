// Log lines for people: time, level, event, fields, as one line; an error's stack below it.

/** Width of the longest level. */
const LEVEL_WIDTH = 5
const INDENT = '    '

/**
 * Formats a line of the log.
 *
 * @param line JSON, as written for programs. @returns the line for a terminal; `line` itself if it is something else.
 */
export function formatTextLine(line: string): string {
  const entry = parse(line)
  if (entry === undefined) return line
  const { level, time, msg, err, ...fields } = entry
  const shown = Object.entries(fields).map(([name, value]) => `${name}=${formatValue(value)}`)
  const words = [formatTime(time), String(level).toUpperCase().padEnd(LEVEL_WIDTH), printable(String(msg))]
  const head = [words.join(' '), ...shown].join('  ')
  return `${[head, ...describeError(err).map((text) => INDENT + text)].join('\n')}\n`
}

function parse(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const entry: unknown = JSON.parse(line)
    return typeof entry === 'object' && entry !== null ? { ...entry } : undefined
  } catch {
    return undefined // passed on as it is
  }
}

/** The local time of day: a terminal shows what happens now. */
function formatTime(time: unknown): string {
  const date = new Date(String(time))
  const two = (count: number): string => String(count).padStart(2, '0')
  return `${two(date.getHours())}:${two(date.getMinutes())}:${two(date.getSeconds())}`
}

function formatValue(value: unknown): string {
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return /^[^\s"=]+$/.test(text) || typeof value !== 'string'
    ? printable(text)
    : JSON.stringify(printable(text))
}

function describeError(error: unknown): string[] {
  if (typeof error !== 'object' || error === null) return []
  const text = 'stack' in error ? error.stack : 'message' in error ? error.message : JSON.stringify(error)
  return String(text).split('\n').map(printable)
}

/** Names and addresses of clients are logged: control characters must not reach the terminal. */
const printable = (text: string): string => text.replaceAll(/\p{Cc}/gu, '?')
