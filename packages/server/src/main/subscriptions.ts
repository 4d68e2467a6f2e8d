// Subscribes modules to changes. The hub is fed by this node's commits; a reader of the change log can feed
// it as well.
import type { EventHub } from '../features/changes/index.ts'
import type { ChangeEvent } from '@zonereeve/storage'

type EventSubscriber = (event: ChangeEvent) => void | Promise<void>

export interface Followers {
  readonly zones: { readonly take: EventSubscriber }
  /** Undefined: no peers are notified. */
  readonly transfers: { readonly take: EventSubscriber } | undefined
  readonly collector: { forgetZone(zoneId: string): void }
  readonly configurations: { forget(scopeId: string): void }
  readonly edges: { wakeEdges(): void }
}

/** Zones before transfers: notified peers must get the new version. */
export function subscribeModules(
  hub: EventHub,
  { zones, transfers, collector, configurations, edges }: Followers,
): void {
  hub.subscribe(['zone', 'records', 'settings', 'signing'], zones.take)
  if (transfers !== undefined) hub.subscribe(['zone', 'signing', 'transfers'], transfers.take)
  hub.subscribe(['zone', 'monitoring'], ({ scopeId }) => collector.forgetZone(scopeId))
  hub.subscribe(['zone', 'settings', 'firewall'], ({ scopeId }) => configurations.forget(scopeId))
  hub.subscribe(['zone', 'records', 'settings', 'firewall', 'monitoring'], () => edges.wakeEdges())
}
