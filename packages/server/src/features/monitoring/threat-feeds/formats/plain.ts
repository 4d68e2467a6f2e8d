// Plain lists: one domain, address or URL per line, comments after `#`, `;`, `!` or `//`; for example
// Maltrail's lists.
import type { FeedFormat } from './format.ts'

export const plain = {
  name: 'plain',
  categories: 'of-feed',
  begin: (categories) => (line) => {
    // Both comment patterns run to the end of the line and start at one character, so matching takes linear
    // time.
    const text = line
      .replace(/^\s*(?:[#;!]|\/\/)[^]*$/, '')
      .replace(/(?<=\s)(?:#|\/\/)[^]*$/, '')
      .trim()
    if (text === '') return 'nothing'
    if (/\s/.test(text)) return 'unreadable'
    if (text.includes('://')) return [{ kind: 'url', url: text, flagsHost: true, categories }]
    // `host/path`, as in some lists; without a path it is a domain.
    const at = text.indexOf('/')
    if (at > 0 && at < text.length - 1)
      return [{ kind: 'url', url: `https://${text}`, flagsHost: true, categories }]
    const host = text.replace(/^(?:\*\.|\.)/, '').replace(/\/$/, '')
    return [{ kind: 'domain', host: host.replace(/^([^[\]:]+):\d+$/, '$1'), categories }]
  },
} as const satisfies FeedFormat
