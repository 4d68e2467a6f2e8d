// The parts of an entry's metadata that are shown. The API describes it as any object.
export interface EntryMetadata {
  readonly zoneName: string | undefined
  readonly requestId: string | undefined
  /** Number of the change in the history of its zone. */
  readonly change: string | undefined
  readonly status: string | undefined
  readonly codes: string | undefined
  readonly hash: string | undefined
}

export function readMetadata(metadata: unknown): EntryMetadata {
  const members = new Map(typeof metadata === 'object' && metadata !== null ? Object.entries(metadata) : [])
  const text = (name: string): string | undefined => {
    const value: unknown = members.get(name)
    if (typeof value === 'string' && value !== '') return value
    return typeof value === 'number' ? String(value) : undefined
  }
  const list: unknown = members.get('errors')
  return {
    zoneName: text('zone_name'),
    requestId: text('request_id'),
    change: text('change'),
    status: text('status'),
    codes: Array.isArray(list) && list.length > 0 ? list.join(', ') : undefined,
    hash: text('hash'),
  }
}
