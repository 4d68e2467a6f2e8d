// A secondary catalog zone while it is edited.
import type { SecondaryCatalogDraft, WireSecondaryCatalog } from '../../api/catalogs.ts'

export interface GroupDraft {
  /** Stays the same while the name is typed. */
  readonly key: number
  readonly name: string
  readonly peers: readonly string[]
}

export interface CatalogDraft {
  readonly peers: readonly string[]
  readonly groups: readonly GroupDraft[]
  /** Not shown, and stored as it was; undefined for the server's default. */
  readonly autoRefreshSeconds: number | undefined
}

export const NEW_CATALOG: CatalogDraft = { peers: [], groups: [], autoRefreshSeconds: undefined }

export const catalogDraft = ({
  peers,
  groups,
  auto_refresh_seconds: autoRefreshSeconds,
}: Pick<WireSecondaryCatalog, 'peers' | 'groups' | 'auto_refresh_seconds'>): CatalogDraft => ({
  peers,
  groups: groups.map((group, key) => ({ key, name: group.name, peers: group.peers })),
  autoRefreshSeconds,
})

export const writtenCatalog = ({
  peers,
  groups,
  autoRefreshSeconds,
}: CatalogDraft): SecondaryCatalogDraft => ({
  peers: [...peers],
  groups: groups.map((group) => ({ name: group.name.trim(), peers: [...group.peers] })),
  ...(autoRefreshSeconds === undefined ? {} : { auto_refresh_seconds: autoRefreshSeconds }),
})

/** Adds a group to be filled in. */
export const withGroup = (groups: readonly GroupDraft[]): GroupDraft[] => [
  ...groups,
  { key: Math.max(-1, ...groups.map(({ key }) => key)) + 1, name: '', peers: [] },
]

export const isComplete = ({ peers, groups }: CatalogDraft): boolean =>
  peers.length > 0 && groups.every((group) => group.name.trim() !== '' && group.peers.length > 0)
