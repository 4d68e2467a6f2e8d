// Scripts inside of markup: a page, or a fragment that a script writes. Read in one pass: no text takes more than linear time.

const MAX_PIECES = 60
const MAX_HANDLER_LENGTH = 4000

export interface PageText {
  /** The text of its scripts, in order. */
  readonly scripts: readonly string[]
  /** Addresses of scripts and frames that it would load. */
  readonly loads: readonly { readonly tag: 'script' | 'frame' | 'image' | 'form'; readonly address: string }[]
  /** Frames that nobody is to see. */
  readonly hasHiddenFrame: boolean
}

/** Whether a text is markup and not a script. */
export function looksLikeMarkup(text: string): boolean {
  return /^\s*(?:<!doctype|<html|<head|<body|<script|<!--|<\?xml|<div|<noscript|<iframe|<meta|<style|<link|<img|<form|<table|<p\b|<span)/iu.test(
    text,
  )
}

const LOADS: Readonly<Record<string, readonly [PageText['loads'][number]['tag'], attribute: string]>> = {
  script: ['script', 'src'],
  iframe: ['frame', 'src'],
  frame: ['frame', 'src'],
  embed: ['frame', 'src'],
  img: ['image', 'src'],
  form: ['form', 'action'],
}

/** Takes a page apart as far as scripts go; whatever is broken in it is passed over. */
export function readPageText(text: string): PageText {
  const scripts: string[] = []
  const handlers: string[] = []
  const loads: PageText['loads'][number][] = []
  let hasHiddenFrame = false
  for (const { name, attributes, body } of readTags(text)) {
    const values = readAttributes(attributes)
    const [tag, attribute] = LOADS[name] ?? [null, '']
    const address = values.get(attribute)
    if (tag !== null && address !== undefined && loads.length < MAX_PIECES) loads.push({ tag, address })
    if (tag === 'frame') hasHiddenFrame ||= isHidden(attributes.slice(0, 2000))
    if (name === 'script' && body.trim() !== '' && !isData(values.get('type') ?? ''))
      scripts.push(unwrapComment(body))
    for (const [key, value] of values) {
      if (/^on[a-z]{3,20}$/u.test(key) && value.length >= 4 && value.length <= MAX_HANDLER_LENGTH)
        handlers.push(decodeEntities(value))
    }
    if (scripts.length + handlers.length >= MAX_PIECES) break
  }
  return { scripts: [...scripts, ...handlers].slice(0, MAX_PIECES), loads, hasHiddenFrame }
}

interface Tag {
  /** In small letters. */
  readonly name: string
  readonly attributes: string
  /** The text in it, of a script; else ''. */
  readonly body: string
}

/** The tags that open something, outside of comments. */
function* readTags(text: string): Iterable<Tag> {
  const findEnd = createEndFinder(text)
  let at = text.indexOf('<')
  while (at !== -1) {
    if (text.startsWith('<!--', at)) {
      const end = text.indexOf('-->', at + 4)
      if (end === -1) return
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
    yield { name, attributes, body: text.slice(end + 1, close) }
    at = text.indexOf('<', Math.max(close, end + 1))
  }
}

/** Finds the > that ends a tag, which is not one within quotes. A quote that nothing closes is none. -1: there is no end. */
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

/** Where a pattern is found next; the end of the text, if nowhere. */
function findFrom(text: string, pattern: RegExp, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

const ATTRIBUTE = /([^\s=>"'/]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'>]+)))?/gu

/** By names in small letters; of one that stands there twice, the first. */
function readAttributes(text: string): ReadonlyMap<string, string> {
  const values = new Map<string, string>()
  for (const [, name = '', double, single, bare] of text.matchAll(ATTRIBUTE)) {
    const key = name.toLowerCase()
    if (!values.has(key)) values.set(key, double ?? single ?? bare ?? '')
  }
  return values
}

/** What is no script although it stands where scripts do. */
const isData = (type: string): boolean =>
  /^\s*(?:application\/(?:ld\+)?json|text\/(?:template|x-))/iu.test(type)

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
