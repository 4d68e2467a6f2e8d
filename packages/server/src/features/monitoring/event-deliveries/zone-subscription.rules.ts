// A subscription to the events of monitoring of a zone.
import type { Subscription } from '@zonereeve/alerts'
import type { EventKind } from '../page-shield/index.ts'

export interface ZoneSubscription extends Subscription<EventKind> {
  readonly zoneId: string
}
