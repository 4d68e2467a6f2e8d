// Dependency index: the dependents of each key, and the keys of each dependent.

export interface Dependencies<Dependent> {
  /** Replaces the keys of a dependent. New keys are added before old ones are removed. */
  set(dependent: Dependent, keys: ReadonlySet<string>): void
  of(key: string): Iterable<Dependent>
  /** Whether nothing depends on anything. */
  isEmpty(): boolean
}

export interface DependenciesHooks {
  /** Called when a key gets its first dependent. */
  readonly used: (key: string) => void
  /** Called when a key loses its last dependent. */
  readonly unused: (key: string) => void
}

export function createDependencies<Dependent>({ used, unused }: DependenciesHooks): Dependencies<Dependent> {
  const dependents = new Map<string, Set<Dependent>>()
  const keysOf = new Map<Dependent, ReadonlySet<string>>()

  return {
    set(dependent, keys) {
      const before = keysOf.get(dependent) ?? new Set()
      if (keys.size === 0) keysOf.delete(dependent)
      else keysOf.set(dependent, keys)
      for (const key of keys) if (!before.has(key)) add(key, dependent)
      for (const key of before) if (!keys.has(key)) drop(key, dependent)
    },
    of: (key) => dependents.get(key) ?? [], // nothing depends on it
    isEmpty: () => dependents.size === 0,
  }

  function add(key: string, dependent: Dependent): void {
    const those = dependents.get(key)
    if (those !== undefined) those.add(dependent)
    else {
      dependents.set(key, new Set([dependent]))
      used(key)
    }
  }

  function drop(key: string, dependent: Dependent): void {
    const those = dependents.get(key)
    those?.delete(dependent)
    if (those?.size !== 0) return
    dependents.delete(key)
    unused(key)
  }
}
