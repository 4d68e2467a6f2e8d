// Strings with macros, such as `%{tx.critical_anomaly_score}`.
import type { Bytes } from '../bytes.ts'
import type { Macro, Template } from './compiled-rule.ts'

export function parseTemplate(text: Bytes): Template {
  const parts: (Bytes | Macro)[] = []
  let at = 0
  for (const found of text.matchAll(/%\{([^}]+)\}/g)) {
    if (found.index > at) parts.push(text.slice(at, found.index))
    parts.push(readMacro(String(found[1])))
    at = found.index + found[0].length
  }
  if (parts.length === 0) return { literal: text, parts: undefined }
  if (at < text.length) parts.push(text.slice(at))
  return { literal: text, parts }
}

function readMacro(text: string): Macro {
  const dot = /[.:]/.exec(text)?.index
  return dot === undefined
    ? { collection: text.toUpperCase(), key: '' }
    : { collection: text.slice(0, dot).toUpperCase(), key: text.slice(dot + 1) }
}

export function expand({ literal, parts }: Template, valueOf: (macro: Macro) => Bytes): Bytes {
  return parts === undefined
    ? literal
    : parts.map((part) => (typeof part === 'string' ? part : valueOf(part))).join('')
}
