// Settings of the nameservers that zones are delegated to, and of which of their zones a node has.
import { setting } from './setting.ts'

/** Host names that zones are delegated to. */
interface NameServerSet {
  readonly names: readonly string[]
  /** No new zone gets it. */
  readonly isFull: boolean
}

const HOST_NAME = /^(?=.{1,253}$)([a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9])?\.)+[a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?$/

export const NAME_SERVER_SETTINGS = {
  nameServers: setting({
    name: 'name-servers',
    placeholder: 'names',
    description:
      'host names of the nameservers for new zones, separated by commas; or several such sets, separated by slashes: each new zone gets one that does not end with :full',
    default: 'ns1.zonereeve.internal,ns2.zonereeve.internal',
    parse: parseNameServerSets,
  }),
  zonesOf: setting({
    name: 'zones-of',
    placeholder: 'names',
    description:
      'this node, one of several, has only the zones of these nameservers (host names separated by commas), and does not write; default: all zones',
    default: '',
    parse: (text) => (text === '' ? undefined : parseNameServers(text)),
  }),
}

function parseNameServerSets(text: string): readonly NameServerSet[] {
  const sets = text.split('/').map((part): NameServerSet => {
    const [, names = '', full] = /^(.*?)(:full)?$/.exec(part.trim()) ?? []
    return { names: parseNameServers(names), isFull: full !== undefined }
  })
  if (new Set(sets.map(({ names }) => names.toSorted().join())).size < sets.length)
    throw new Error('must have each set of host names once')
  if (sets.every(({ isFull }) => isFull)) throw new Error('must have a set for new zones, without :full')
  return sets
}

function parseNameServers(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim().toLowerCase().replace(/\.$/, ''))
  if (names.some((name) => !HOST_NAME.test(name))) throw new Error('must be host names separated by commas')
  return names
}
