// Hosts files: a sinkhole address, followed by the names to redirect to it. URLhaus' `hostfile`, NoCoin's
// `hosts.txt`, and many blocklists.
import { isIP } from 'node:net'
import type { FeedFormat } from './format.ts'

export const hosts = {
  name: 'hosts',
  categories: 'of-feed',
  begin: (categories) => (line) => {
    const [address = '', ...names] = line
      .replace(/#[^]*$/, '')
      .trim()
      .split(/\s+/)
    if (address === '') return 'nothing'
    if (isIP(address) === 0 || names.length === 0) return 'unreadable'
    return names.map((host) => ({ kind: 'domain', host, categories }))
  },
} as const satisfies FeedFormat
