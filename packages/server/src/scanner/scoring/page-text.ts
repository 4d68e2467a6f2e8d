// Scripts inside of markup: a page, or a fragment that a script writes.

const TAGS = /<script\b([^>]*)>([\s\S]*?)(?:<\/script\s*>|$)/giu
const HANDLERS = /\son[a-z]{3,20}\s*=\s*(?:"([^"]{4,4000})"|'([^']{4,4000})')/giu
const MAX_PIECES = 60

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

/** Takes a page apart as far as scripts go; whatever is broken in it is passed over. */
export function readPageText(text: string): PageText {
  const scripts: string[] = []
  const loads: PageText['loads'][number][] = []
  for (const [, attributes, body] of text.matchAll(TAGS)) {
    if (scripts.length >= MAX_PIECES) break
    const address = attributeOf(attributes ?? '', 'src')
    if (address !== null) loads.push({ tag: 'script', address })
    const isData = /type\s*=\s*["']?(?:application\/(?:ld\+)?json|text\/(?:template|x-))/iu.test(
      attributes ?? '',
    )
    if (body !== undefined && body.trim() !== '' && !isData) scripts.push(unwrapComment(body))
  }
  for (const [, double, single] of text.matchAll(HANDLERS)) {
    if (scripts.length >= MAX_PIECES) break
    scripts.push(decodeEntities(double ?? single ?? ''))
  }
  let hasHiddenFrame = false
  for (const [, tag, attributes] of text.matchAll(/<(iframe|frame|img|embed|form)\b([^>]{0,2000})>/giu)) {
    const isForm = tag?.toLowerCase() === 'form'
    const address = attributeOf(attributes ?? '', isForm ? 'action' : 'src')
    const isFrame = /frame|embed/iu.test(tag ?? '')
    if (address !== null && loads.length < MAX_PIECES) {
      loads.push({ tag: isForm ? 'form' : isFrame ? 'frame' : 'image', address })
    }
    hasHiddenFrame ||= isFrame && isHidden(attributes ?? '')
  }
  return { scripts, loads, hasHiddenFrame }
}

function isHidden(attributes: string): boolean {
  return (
    /(?:width|height)\s*[=:]\s*["']?[01](?:px)?\b/iu.test(attributes) ||
    /display\s*:\s*none|visibility\s*:\s*hidden|(?:left|top)\s*:\s*-\d{3,}/iu.test(attributes)
  )
}

function attributeOf(attributes: string, name: string): string | null {
  const found = new RegExp(`\\b${name}\\s*=\\s*(?:"([^"]*)"|'([^']*)'|([^\\s"'>]+))`, 'iu').exec(attributes)
  return found === null ? null : (found[1] ?? found[2] ?? found[3] ?? null)
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
