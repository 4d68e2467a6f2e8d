// Who made a change: recorded with every change set.
export interface Actor {
  readonly kind: 'token' | 'key' | 'session' | 'anonymous' | 'system'
  readonly id: string
  readonly name: string
  readonly requestId: string
}

/** Work of the program itself: first start, seeds, scheduled jobs. */
export const SYSTEM: Actor = { kind: 'system', id: 'system', name: 'zonereeve', requestId: '' }
