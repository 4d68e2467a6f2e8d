// OpenPhish: one URL per line.
import type { FeedFormat } from './format.ts'

export const openphish = {
  name: 'openphish',
  categories: 'of-entries',
  begin: () => (line) => {
    const url = line.trim()
    if (url === '' || url.startsWith('#')) return 'nothing'
    if (!url.includes('://')) return 'unreadable'
    return [{ kind: 'url', url, flagsHost: true, categories: ['Phishing'] }]
  },
} as const satisfies FeedFormat
