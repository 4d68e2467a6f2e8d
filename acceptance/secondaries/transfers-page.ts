// The blocks of docs/transfers.md, with this run's addresses and folders.
import { readFileSync } from 'node:fs'

const PAGE = new URL('../../docs/transfers.md', import.meta.url)

export interface Place {
  /** Port of the primary, on 127.0.0.1. */
  readonly primaryPort: number
  readonly folder: string
  readonly catalog: string
}

/** @throws if the page has no block of that kind. */
export function pageBlock(kind: string, { primaryPort, folder, catalog }: Place): string {
  const block = new RegExp(`^\`\`\`${kind}\\n([\\s\\S]*?)^\`\`\`$`, 'm').exec(readFileSync(PAGE, 'utf8'))?.[1]
  if (block === undefined) throw new Error(`docs/transfers.md has no block ${kind}`)
  return block
    .replaceAll(/\/etc\/nsd(?=\/)/g, folder)
    .replaceAll('192.0.2.1@53', `127.0.0.1@${primaryPort}`)
    .replaceAll('192.0.2.1 port 53', `127.0.0.1 port ${primaryPort}`)
    .replaceAll('192.0.2.1:53', `127.0.0.1:${primaryPort}`)
    .replaceAll('-p 53 @192.0.2.1', `-p ${primaryPort} @127.0.0.1`)
    .replaceAll('192.0.2.1', '127.0.0.1')
    .replaceAll(/\/var\/(?:lib\/(?:knot|powerdns)|cache\/bind)/g, folder)
    .replaceAll('catalog.example', catalog)
}
