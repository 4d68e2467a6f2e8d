// Hosts files: an address that leads nowhere, then the names that are to lead there. URLhaus' `hostfile`, NoCoin's
// `hosts.txt`, and many lists of names to block.
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
