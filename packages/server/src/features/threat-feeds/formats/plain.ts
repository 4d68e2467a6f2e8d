// Plain lists: one domain, address or URL a line, comments after `#`, `;`, `!` or `//`; Maltrail's lists are such.
import type { FeedFormat } from './format.ts'

export const plain = {
  name: 'plain',
  categories: 'of-feed',
  begin: (categories) => (line) => {
    // Both comments run to the end whatever stands in them, and begin at one character: no line takes more than linear time.
    const text = line
      .replace(/^\s*(?:[#;!]|\/\/)[^]*$/, '')
      .replace(/(?<=\s)(?:#|\/\/)[^]*$/, '')
      .trim()
    if (text === '') return 'nothing'
    if (/\s/.test(text)) return 'unreadable'
    if (text.includes('://')) return [{ kind: 'url', url: text, flagsHost: true, categories }]
    // `host/path`, as some lists have it; without a path it is the domain.
    const at = text.indexOf('/')
    if (at > 0 && at < text.length - 1)
      return [{ kind: 'url', url: `https://${text}`, flagsHost: true, categories }]
    const host = text.replace(/^(?:\*\.|\.)/, '').replace(/\/$/, '')
    return [{ kind: 'domain', host: host.replace(/^([^[\]:]+):\d+$/, '$1'), categories }]
  },
} as const satisfies FeedFormat
