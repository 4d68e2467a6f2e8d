// What stands beside a zone's name: what it is, if it is not an active primary zone.
import type { WireZone } from '../../api/zones.ts'
import { strings } from '../../strings.ts'

export interface NameNote {
  readonly text: string
  readonly tone: 'warn' | 'note' | 'dim'
}

export function nameNotes({
  status,
  paused,
  type,
}: Pick<WireZone, 'status' | 'paused' | 'type'>): NameNote[] {
  const notes: NameNote[] = []
  if (paused) notes.push({ text: strings.zones.paused, tone: 'warn' })
  else if (status !== 'active') notes.push({ text: strings.zones.statuses[status], tone: 'note' })
  if (type !== 'full') notes.push({ text: strings.zone.types[type], tone: 'dim' })
  return notes
}
