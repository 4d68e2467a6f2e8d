// Transformations that remove disguise: comments, whitespace, shell syntax, path segments.
import { type Bytes, foldCase } from '../bytes.ts'

/** Backslashes, quotes and carets vanish, whitespace and separators are unified, as a shell would read it. */
export function cmdLine(text: Bytes): Bytes {
  if (!/[\\"'^,;\sA-Z/(]/.test(text)) return text
  const bare = /[\\"'^]/.test(text) ? text.replaceAll(/[\\"'^]/g, '') : text
  const spaced = /[,;\t\r\n]| {2}/.test(bare) ? bare.replaceAll(/[ ,;\t\r\n]+/g, ' ') : bare
  return foldCase(/ [/(]/.test(spaced) ? spaced.replaceAll(/ (?=[/(])/g, '') : spaced)
}

/** Each run of whitespace becomes one space. */
export const compressWhitespace = (text: Bytes): Bytes =>
  /[\t-\r\u00a0]| {2}/.test(text) ? text.replaceAll(/[\t-\r \u00a0]+/g, ' ') : text

export const removeWhitespace = (text: Bytes): Bytes => text.replaceAll(/[\t-\r \u00a0]+/g, '')

/** Each comment of C becomes a space; one that is not closed ends the text. */
export function replaceComments(text: Bytes): Bytes {
  if (!text.includes('/*')) return text
  let out = ''
  let at = 0
  for (;;) {
    const start = text.indexOf('/*', at)
    if (start === -1) return out + text.slice(at)
    out += `${text.slice(at, start)} `
    const end = text.indexOf('*/', start + 2)
    if (end === -1) return out
    at = end + 2
  }
}

/** Comments of C, `--`, `#` and HTML vanish; a line comment ends the text. */
export function removeComments(text: Bytes): Bytes {
  let out = ''
  let at = 0
  while (at < text.length) {
    const close = text.startsWith('/*', at) ? '*/' : text.startsWith('<!--', at) ? '-->' : undefined
    if (close !== undefined) {
      const end = text.indexOf(close, at)
      if (end === -1) return out
      at = end + close.length
    } else if (text.startsWith('--', at) || text[at] === '#') return out
    else {
      out += text.charAt(at)
      at += 1
    }
  }
  return out
}

/** The characters that open and close comments vanish; what is between them stays. */
export const removeCommentsChar = (text: Bytes): Bytes => text.replaceAll(/\/\*|\*\/|<!--|-->|--|#/g, '')

/** Resolves empty, `.` and `..` segments; `..` beyond the start stays out of an absolute path. */
export function normalizePath(text: Bytes): Bytes {
  if (!/\/\/|\.\/|\/\.|^\.+$/.test(text)) return text
  const isAbsolute = text.startsWith('/')
  const isOpen = /(?:^|\/)\.{0,2}$/.test(text)
  const segments: string[] = []
  for (const segment of text.split('/')) {
    if (segment === '' || segment === '.') continue
    const last = segments.at(-1)
    if (segment !== '..') segments.push(segment)
    else if (last !== undefined && last !== '..') segments.pop()
    else if (!isAbsolute) segments.push('..')
  }
  const joined = segments.join('/')
  const tail = isOpen && joined !== '' ? '/' : ''
  return `${isAbsolute ? '/' : ''}${joined}${tail}`
}

export const normalizePathWin = (text: Bytes): Bytes => normalizePath(text.replaceAll('\\', '/'))

/** Everything but letters, digits and `*` as `%XX`, a space as `+`. */
export const urlEncode = (text: Bytes): Bytes =>
  text.replaceAll(/[^0-9a-zA-Z*]/g, (byte) =>
    byte === ' ' ? '+' : `%${byte.charCodeAt(0).toString(16).padStart(2, '0')}`,
  )

export function hexEncode(text: Bytes): Bytes {
  let out = ''
  for (let i = 0; i < text.length; i += 1) out += text.charCodeAt(i).toString(16).padStart(2, '0')
  return out
}

export const trimStart = (text: Bytes): Bytes => text.replace(/^[\t-\r ]+/, '')

/** In linear time: a pattern that is anchored at the end alone is not. */
export function trimEnd(text: Bytes): Bytes {
  let end = text.length
  while (end > 0 && /[\t-\r ]/.test(text.charAt(end - 1))) end -= 1
  return text.slice(0, end)
}
