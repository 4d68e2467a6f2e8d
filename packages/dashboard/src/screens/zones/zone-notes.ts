// What stands beside a zone's name: what it is, if it is not an active primary zone.
import type { ListedZone } from '../../api/zones.ts'
import { strings } from '../../strings.ts'

export interface NameNote {
  readonly text: string
  readonly tone: 'warn' | 'note' | 'dim'
}

export function nameNotes({
  status,
  paused,
  type,
  reasons = [], // not in a list of zones that need attention
}: Pick<ListedZone, 'status' | 'paused' | 'type' | 'reasons'>): NameNote[] {
  const notes: NameNote[] = []
  if (paused) notes.push({ text: strings.zones.paused, tone: 'warn' })
  else if (status !== 'active') notes.push({ text: strings.zones.statuses[status], tone: 'note' })
  for (const reason of reasons) {
    const words = strings.zones.reasons[reason]
    if (words !== undefined) notes.push({ text: words, tone: 'warn' })
  }
  if (type !== 'full') notes.push({ text: strings.zone.types[type], tone: 'dim' })
  return notes
}
