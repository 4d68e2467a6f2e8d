// What rules inspect: the selected entries of a collection, after transformations. Computed once for all rules that
// select the same entries.
import type { Bytes } from '../bytes.ts'
import { isReadFromBody, type RequestCollections } from './collections.ts'
import type { CompiledRuleSet, Selection, Unit } from './compiled-rule.ts'
import type { PooledString, StringPool, UnitedScan } from './string-pool.ts'
import { canChange, PLAIN_CHAIN, type TransformChain } from './transform-chains.ts'
import type { Variables } from './variables.ts'

export interface View {
  /** Their names, and their values before transformations, at the same positions as `values`. */
  readonly sources: Sources
  readonly values: readonly PooledString[]
  /** Computed for the first rule with a pattern or a list of words. */
  scan: UnitedScan | undefined
}

/** Selected entries of a collection. */
interface Sources {
  readonly keys: readonly Bytes[]
  readonly strings: readonly PooledString[]
  /** By number of the chain; with holes. Selections that have the same entries share them. */
  readonly views: (View | undefined)[]
}

/** All entries of a collection. */
interface PooledCollection extends Sources {
  /** In lower case. */
  readonly folded: readonly Bytes[]
}

const NO_SOURCES: Sources = { keys: [], strings: [], views: [] }
const EMPTY_VIEW: View = {
  sources: NO_SOURCES,
  values: [],
  scan: { mask: 0, hasUpperCase: false, hasRuns: false, candidates: undefined, places: [] },
}
const ONE_KEY: readonly Bytes[] = ['']
const VARYING_HEADERS = new Set(['cookie', 'referer', 'content-length', 'authorization'])
/** Levels, thresholds, counts and names of methods. */
const MAX_STEERING_BYTES = 32

export class Views {
  private readonly ruleSet: CompiledRuleSet
  private readonly collections: RequestCollections
  private readonly variables: Variables
  private readonly pool: StringPool
  /** By number of the unit and of the selection; both with holes. */
  private readonly views: (View | undefined)[] = []
  private readonly selected: (Sources | undefined)[] = []
  private readonly pooled = new Map<string, PooledCollection>()

  constructor(
    ruleSet: CompiledRuleSet,
    collections: RequestCollections,
    variables: Variables,
    pool: StringPool,
  ) {
    this.ruleSet = ruleSet
    this.collections = collections
    this.variables = variables
    this.pool = pool
  }

  /** Forgets what depends on the body, which can be read from now on. */
  openBody(): void {
    for (const name of this.pooled.keys()) if (isReadFromBody(name)) this.pooled.delete(name)
    for (const { number, selection } of this.ruleSet.bodyUnits) {
      this.views[number] = undefined
      this.selected[selection.number] = undefined
    }
  }

  of(unit: Unit): View {
    if (!unit.selection.isStable) return this.build(unit, this.selectVariables(unit.selection))
    return (this.views[unit.number] ??= this.build(unit, this.sourcesOf(unit.selection)))
  }

  scanOf(view: View): UnitedScan {
    return (view.scan ??= this.pool.scanAll(view.values))
  }

  private sourcesOf(selection: Selection): Sources {
    return (this.selected[selection.number] ??= this.select(selection))
  }

  private select({ collection, key, selects, excludes }: Selection): Sources {
    const all = this.pooledOf(collection)
    if (key === undefined && selects === undefined && excludes.length === 0) return all
    const { folded } = all
    const places: number[] = []
    for (let i = 0; i < folded.length; i += 1) {
      const name = folded[i] as Bytes // within the list
      if (key !== undefined && name !== key) continue
      if (selects !== undefined && !selects(name)) continue
      if (excludes.some((excluded) => excluded(name))) continue
      places.push(i)
    }
    if (places.length === folded.length) return all
    return places.length === 0 ? NO_SOURCES : sourcesAt(all, places)
  }

  private pooledOf(collection: string): PooledCollection {
    let pooled = this.pooled.get(collection)
    if (pooled === undefined) {
      pooled = this.poolAll(collection)
      this.pooled.set(collection, pooled)
    }
    return pooled
  }

  private poolAll(collection: string): PooledCollection {
    const isRepeated = collection === 'REQUEST_HEADERS'
    const keys: Bytes[] = []
    const folded: Bytes[] = []
    const strings: PooledString[] = []
    for (const { key, value, isOfBody } of this.collections.read(collection)) {
      const name = key.toLowerCase()
      keys.push(key)
      folded.push(name)
      strings.push(
        isRepeated && !VARYING_HEADERS.has(name)
          ? this.pool.getRepeated(value)
          : this.pool.get(value, isOfBody),
      )
    }
    return { keys, folded, strings, views: [] }
  }

  private selectVariables({ collection, key, selects, excludes }: Selection): Sources {
    if (key !== undefined && collection === 'TX') {
      const value = this.variables.transaction.get(key)
      return value === undefined
        ? NO_SOURCES
        : { keys: [key], strings: [this.ofTransaction(value)], views: [] }
    }
    const entries = this.variables
      .read(collection)
      .filter(
        (entry) =>
          (key === undefined || entry.key.toLowerCase() === key) &&
          selects?.(entry.key) !== false &&
          !excludes.some((excluded) => excluded(entry.key)),
      )
    return {
      keys: entries.map((entry) => entry.key),
      strings: entries.map(({ value }) =>
        collection === 'TX' ? this.ofTransaction(value) : this.pool.getDerived(value),
      ),
      views: [],
    }
  }

  /** Short ones steer the rules, which must not depend on the same text in the body. */
  private ofTransaction(value: Bytes): PooledString {
    const string = this.pool.getDerived(value)
    return string.isOfBody && value.length <= MAX_STEERING_BYTES ? this.pool.get(value) : string
  }

  private build({ isCount, chain }: Unit, sources: Sources): View {
    const { strings, views } = sources
    if (isCount) {
      const text = this.pool.get(String(strings.length))
      return { sources: { keys: ONE_KEY, strings: [text], views: [] }, values: [text], scan: undefined }
    }
    if (strings.length === 0) return EMPTY_VIEW
    return (views[chain.number] ??= this.transformAll(chain, sources))
  }

  /** Values that no transformation changes are the same view for all chains. */
  private transformAll(chain: TransformChain, sources: Sources): View {
    const { strings, views } = sources
    const plain = (views[PLAIN_CHAIN] ??= { sources, values: strings, scan: undefined })
    if (chain.steps.length === 0 || !canChange(chain, this.scanOf(plain))) return plain
    let values: PooledString[] | undefined
    for (let i = 0; i < strings.length; i += 1) {
      const string = strings[i] as PooledString // within the list
      const after = this.pool.transform(string, chain)
      if (after !== string) values ??= strings.slice()
      if (values !== undefined) values[i] = after
    }
    return values === undefined ? plain : { sources, values, scan: undefined }
  }
}

function sourcesAt({ keys, strings }: Sources, places: readonly number[]): Sources {
  return {
    keys: places.map((place) => keys[place] as Bytes), // within the list
    strings: places.map((place) => strings[place] as PooledString), // as above
    views: [],
  }
}
