// Who did it: recorded with every change set.
export interface Actor {
  readonly kind: 'token' | 'key' | 'system'
  readonly id: string
  readonly name: string
  readonly requestId: string
}

/** Work that the program does by itself: first start, seeds, timed jobs. */
export const SYSTEM: Actor = { kind: 'system', id: 'system', name: 'zonereeve', requestId: '' }
