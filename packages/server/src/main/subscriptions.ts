// Subscribes modules to changes. The hub is fed by this node's commits; a reader of the change log can feed
// it as well.
import type { EventHub } from '../features/changes/index.ts'
import type { ChangeEvent } from '@zonereeve/storage'

type EventSubscriber = (event: ChangeEvent) => void | Promise<void>

export interface Followers {
  readonly zones: { readonly take: EventSubscriber }
  readonly knownZones: { forget(scopeId: string): void }
  readonly collector: { forgetZone(zoneId: string): void }
  readonly configurations: { forget(scopeId: string): void }
  /** What requests are admitted with. */
  readonly credentials: readonly { forget(): void }[]
  readonly edges: { wakeEdges(): void }
  readonly updateKeys: { follow(event: ChangeEvent): Promise<void> }
}

export function subscribeModules(
  hub: EventHub,
  { zones, knownZones, collector, configurations, credentials, edges, updateKeys }: Followers,
): void {
  // First: it must not wait until a large change is published.
  hub.subscribe(['zone'], ({ scopeId }) => knownZones.forget(scopeId))
  hub.subscribe(['zone', 'records', 'settings', 'signing'], zones.take)
  hub.subscribe(['zone', 'monitoring'], ({ scopeId }) => collector.forgetZone(scopeId))
  hub.subscribe(['zone', 'settings', 'firewall'], ({ scopeId }) => configurations.forget(scopeId))
  hub.subscribe(['access'], () => credentials.forEach(({ forget }) => forget()))
  hub.subscribe(['access'], updateKeys.follow)
  hub.subscribe(['zone', 'records', 'settings', 'firewall', 'monitoring'], () => edges.wakeEdges())
}

/** After the zones: notified peers must get the new version. */
export function subscribeTransfers(hub: EventHub, transfers: { readonly take: EventSubscriber }): void {
  hub.subscribe(['zone', 'signing', 'transfers'], transfers.take)
}
