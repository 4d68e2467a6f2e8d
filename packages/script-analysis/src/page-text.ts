// Scripts inside markup: a page, or a fragment that a script writes. Read in one pass: every text takes linear time.

const MAX_CHUNKS = 60
const MAX_HANDLER_LENGTH = 4000
const MAX_ELEMENTS = 200
/** Maximum text of an element. */
const MAX_TEXT = 40_000

/** An element that scripts can access: one with an ID or a handler. */
export interface PageElement {
  readonly tag: string
  /** Keyed by lower-case names. */
  readonly attributes: ReadonlyMap<string, string>
  /** Its text, up to the next tag. */
  readonly text: string
}

export interface PageText {
  /** The text of its scripts and handlers, in order. */
  readonly scripts: readonly string[]
  /** For each script, the element whose handler it is; null: none. */
  readonly owners: readonly (PageElement | null)[]
  readonly elements: readonly PageElement[]
  /** Addresses of scripts and frames that it would load. */
  readonly loads: readonly {
    readonly tag: 'script' | 'frame' | 'image' | 'form' | 'navigation'
    readonly address: string
  }[]
  /** Whether it has a hidden frame. */
  readonly hasHiddenFrame: boolean
  /** Whether it has more scripts than are read. */
  readonly isCut: boolean
}

const COMMON_TAG =
  /^\s*(?:<!doctype|<html|<head|<body|<script|<!--|<\?xml|<div|<noscript|<iframe|<meta|<style|<link|<img|<form|<table|<p\b|<span)/iu

/** Whether it begins with a tag, which JavaScript cannot, except with the comment `<!--`. */
const beginsWithTag = (text: string): boolean => /^[\s\u200B]*<[a-z!?/]/iu.test(text)

/**
 * Whether a page may be a script that cannot be parsed without repairs: it begins with a tag that a warning of the
 * server or a type of TypeScript begins with, and ends with no tag.
 */
export const mayBeBroken = (text: string): boolean =>
  beginsWithTag(text) && !COMMON_TAG.test(text) && !text.trimEnd().endsWith('>')

/** A text that is no script, if it is a page: it begins with a tag, and has scripts if that tag is rare. */
export function readMarkup(text: string): PageText | null {
  if (!beginsWithTag(text)) return null
  const page = readPageText(text)
  return page.scripts.length > 0 || COMMON_TAG.test(text) ? page : null
}

/** The scripts of a page, in a page without anything else. Null: it has none, or begins like a script can. */
export function withoutProse(text: string): string | null {
  if (!beginsWithTag(text) || /^[\s\u200B]*<!--/u.test(text)) return null
  const { scripts } = readPageText(text)
  return scripts.length === 0 ? null : scripts.map((script) => `<script>${script}</script>`).join('\n')
}

const LOADS: Readonly<Record<string, readonly [PageText['loads'][number]['tag'], attribute: string]>> = {
  script: ['script', 'src'],
  iframe: ['frame', 'src'],
  frame: ['frame', 'src'],
  embed: ['frame', 'src'],
  img: ['image', 'src'],
  form: ['form', 'action'],
}

/** Splits a page into its scripts; malformed parts are skipped. */
export function readPageText(text: string): PageText {
  const scripts: string[] = []
  const handlers: { readonly text: string; readonly owner: PageElement }[] = []
  const elements: PageElement[] = []
  const loads: PageText['loads'][number][] = []
  let hasHiddenFrame = false
  let isCut = false
  for (const { name, attributes: written, body, after } of readTags(text)) {
    const attributes = readAttributes(written)
    const load = loadOf(name, attributes)
    if (load !== null && loads.length < MAX_CHUNKS) loads.push(load)
    if (LOADS[name]?.[0] === 'frame') hasHiddenFrame ||= isHidden(written.slice(0, 2000))
    if (name === 'script' && body.trim() !== '' && !isData(attributes.get('type')))
      scripts.push(unwrapComment(body))
    const owner = { tag: name, attributes, text: decodeEntities(after).trim() }
    const own = [...attributes].filter(
      ([key, { length }]) => /^on[a-z]{3,20}$/u.test(key) && length >= 4 && length <= MAX_HANDLER_LENGTH,
    )
    for (const [, handler] of own) handlers.push({ text: decodeEntities(handler), owner })
    if ((own.length > 0 || attributes.has('id')) && elements.length < MAX_ELEMENTS) elements.push(owner)
    isCut = scripts.length + handlers.length > MAX_CHUNKS
    if (isCut) break
  }
  const own = scripts.slice(0, MAX_CHUNKS)
  const remaining = handlers.slice(0, MAX_CHUNKS - own.length)
  return {
    scripts: [...own, ...remaining.map((handler) => handler.text)],
    owners: [...own.map(() => null), ...remaining.map(({ owner }) => owner)],
    elements,
    loads,
    hasHiddenFrame,
    isCut,
  }
}

/** What a tag would load, or where it navigates. */
function loadOf(name: string, attributes: ReadonlyMap<string, string>): PageText['loads'][number] | null {
  if (name === 'meta' && attributes.get('http-equiv')?.toLowerCase() === 'refresh') {
    const [, address] = attributes.get('content')?.match(/url\s*=\s*["']?([^"']*)/iu) ?? []
    return address === undefined ? null : { tag: 'navigation', address }
  }
  const [tag, attribute] = LOADS[name] ?? [null, '']
  const address = attributes.get(attribute)
  return tag === null || address === undefined ? null : { tag, address }
}

interface Tag {
  /** Lower case. */
  readonly name: string
  readonly attributes: string
  /** The text in a script; otherwise ''. */
  readonly body: string
  /** The text after it, up to the next tag. */
  readonly after: string
}

/** The opening tags outside of comments. */
function* readTags(text: string): Iterable<Tag> {
  const findEnd = createEndFinder(text)
  let at = text.indexOf('<')
  while (at !== -1) {
    if (text.startsWith('<!--', at)) {
      const end = endOfComment(text, at)
      if (end === text.length) return
      at = text.indexOf('<', end)
      continue
    }
    const name = /^[a-z]{1,20}(?![\w:-])/iu.exec(text.slice(at + 1, at + 22))?.[0].toLowerCase()
    if (name === undefined) {
      at = text.indexOf('<', at + 1)
      continue
    }
    const end = findEnd(at + 1)
    if (end === -1) return
    const attributes = text.slice(at + 1 + name.length, end)
    const close = name === 'script' ? findFrom(text, /<\/script/giu, end) : end
    at = text.indexOf('<', Math.max(close, end + 1))
    const after = name === 'script' ? '' : text.slice(end + 1, at === -1 ? undefined : at).slice(0, MAX_TEXT)
    yield { name, attributes, body: text.slice(end + 1, close), after }
  }
}

/**
 * Where the end of a comment begins, or the end of the text. It may be empty (`<!-->`), and end with `--!>` (HTML
 * §13.1.6, parse errors included).
 */
function endOfComment(text: string, at: number): number {
  const end = findFrom(text, /--!?>/gu, at + 2)
  // In `<!--!>`, the comment goes on.
  return end < at + 4 && text.charAt(end + 2) === '!' ? findFrom(text, /--!?>/gu, at + 4) : end
}

/**
 * Finds the > that ends a tag, ignoring those inside quotes. A quote that is never closed is ignored. -1: there is no
 * end.
 */
function createEndFinder(text: string): (from: number) => number {
  const unclosed = new Set<string>()
  return (from) => {
    const marks = /[>"']/gu
    marks.lastIndex = from
    for (let found = marks.exec(text); found !== null; found = marks.exec(text)) {
      const [mark] = found
      if (mark === '>') return found.index
      if (unclosed.has(mark) || text.charAt(found.index - 1) !== '=') continue
      const close = text.indexOf(mark, found.index + 1)
      if (close === -1) unclosed.add(mark)
      else marks.lastIndex = close + 1
    }
    return -1
  }
}

/** The next match of a pattern; the end of the text if there is none. */
function findFrom(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gu

/** Keyed by lower-case names; of duplicates, the first is used. */
function readAttributes(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, double ?? single ?? bare ?? '') // as in HTML, no value is ''
  }
  return values
}

/** Not a script, although it is in a script element. */
/** A script without a type is JavaScript. */
const isData = (type: string | undefined): boolean =>
  type !== undefined && /^\s*(?:application\/(?:ld\+)?json|text\/(?:template|x-))/iu.test(type)

function isHidden(attributes: string): boolean {
  return (
    /(?:width|height)\s*[=:]\s*["']?[01](?:px)?\b/iu.test(attributes) ||
    /display\s*:\s*none|visibility\s*:\s*hidden|(?:left|top)\s*:\s*-\d{3,}/iu.test(attributes)
  )
}

function unwrapComment(body: string): string {
  return body
    .replace(/^\s*<!\[CDATA\[/u, '')
    .replace(/\]\]>\s*$/u, '')
    .replace(/^\s*<!--[^\n]*\n/u, '')
    .replace(/-->\s*$/u, '')
}

function decodeEntities(text: string): string {
  return text
    .replaceAll('&quot;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&lt;', '<')
    .replaceAll('&gt;', '>')
    .replaceAll('&amp;', '&')
}
