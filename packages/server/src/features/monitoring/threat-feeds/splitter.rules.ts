// Splits a feed into the pieces that formats parse: lines, or the objects of a JSON array. Memory use is
// bounded whatever the input.

/** Maximum characters of a line or object; longer ones are dropped. */
export const MAX_CHUNK_CHARACTERS = 16_384

/** Marks a piece that was too long. */
export const TOO_LONG = '\u0000'

export interface Splitter {
  /**
   * Takes the next chunk of the text.
   * @returns the pieces it completes.
   */
  take(text: string): readonly string[]
  /** @returns an unterminated last piece. */
  end(): readonly string[]
}

/** Splits into lines, without line ends and without a leading byte order mark. */
export function lineSplitter(): Splitter {
  let rest = ''
  let isFirst = true
  let isTooLong = false
  const finish = (line: string): string => {
    const whole = isTooLong || line.length > MAX_CHUNK_CHARACTERS ? TOO_LONG : line.replace(/\r$/, '')
    isTooLong = false
    return whole
  }
  return {
    take(text) {
      const all = rest + (isFirst ? text.replace(/^\uFEFF/, '') : text)
      if (text !== '') isFirst = false
      const end = all.lastIndexOf('\n')
      rest = all.slice(end + 1)
      const whole = end === -1 ? [] : all.slice(0, end).split('\n').map(finish)
      if (rest.length > MAX_CHUNK_CHARACTERS) {
        isTooLong = true
        rest = ''
      }
      return whole
    },
    end: () => (rest === '' && !isTooLong ? [] : [finish(rest)]),
  }
}

/**
 * Splits into the objects directly within the outermost array of a JSON text; anything between them is
 * ignored.
 */
export function objectSplitter(): Splitter {
  let depth = 0
  let isText = false
  let isEscaped = false
  let isTooLong = false
  let object = ''
  return {
    take(text) {
      const whole: string[] = []
      let from = 0
      for (let at = 0; at < text.length; at++) {
        const character = text[at]
        if (isEscaped) isEscaped = false
        else if (isText) {
          if (character === '\\') isEscaped = true
          else if (character === '"') isText = false
        } else if (character === '"') isText = true
        else if (character === '{') {
          if (depth === 0) from = at
          depth += 1
        } else if (character === '}' && depth > 0) {
          depth -= 1
          if (depth === 0) {
            keep(text.slice(from, at + 1))
            whole.push(isTooLong ? TOO_LONG : object)
            object = ''
            isTooLong = false
          }
        }
      }
      if (depth > 0) keep(text.slice(from))
      return whole
    },
    end: () => (depth === 0 ? [] : [isTooLong ? TOO_LONG : object]),
  }

  function keep(part: string): void {
    if (object.length + part.length > MAX_CHUNK_CHARACTERS) {
      isTooLong = true
      object = ''
    }
    if (!isTooLong) object += part
  }
}

/**
 * Splits one line of comma-separated values (RFC 4180); spaces before a quoted field are allowed.
 * @returns undefined if a quote is not closed, or is followed by anything but a comma.
 */
export function readCsvLine(line: string): readonly string[] | undefined {
  const fields: string[] = []
  let at = 0
  for (;;) {
    while (line[at] === ' ') at += 1
    if (line[at] !== '"') {
      const comma = line.indexOf(',', at)
      if (comma < 0) return [...fields, line.slice(at).trimEnd()]
      fields.push(line.slice(at, comma).trimEnd())
      at = comma + 1
      continue
    }
    const field = readQuoted(line, at + 1)
    if (field === undefined) return undefined
    fields.push(field.text)
    at = field.end
    while (line[at] === ' ') at += 1
    if (at === line.length) return fields
    if (line[at] !== ',') return undefined
    at += 1
  }
}

function readQuoted(line: string, from: number): { readonly text: string; readonly end: number } | undefined {
  let text = ''
  for (let at = from; ;) {
    const quote = line.indexOf('"', at)
    if (quote < 0) return undefined
    text += line.slice(at, quote)
    if (line[quote + 1] !== '"') return { text, end: quote + 1 }
    text += '"'
    at = quote + 2
  }
}
