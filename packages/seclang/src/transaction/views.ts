// What rules inspect: the selected entries of a collection, after transformations. Computed once for all rules that
// select the same entries.
import type { Bytes } from '../bytes.ts'
import type { RequestCollections } from './collections.ts'
import type { CompiledRuleSet, Selection, Unit } from './compiled-rule.ts'
import type { PooledString, StringPool, UnitedScan } from './string-pool.ts'
import type { Variables } from './variables.ts'

export interface View {
  /** Their names, and their values before transformations, at the same positions as `values`. */
  readonly sources: Sources
  readonly values: readonly PooledString[]
  /** Computed for the first rule with a pattern or a list of words. */
  scan: UnitedScan | undefined
}

interface Sources {
  readonly keys: readonly Bytes[]
  readonly strings: readonly PooledString[]
}

const NO_SOURCES: Sources = { keys: [], strings: [] }
const EMPTY_VIEW: View = {
  sources: NO_SOURCES,
  values: [],
  scan: { mask: 0, candidates: undefined, places: [] },
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
    const keys: Bytes[] = []
    const strings: PooledString[] = []
    const isRepeated = collection === 'REQUEST_HEADERS'
    for (const entry of this.collections.read(collection)) {
      if (key !== undefined && entry.key.toLowerCase() !== key) continue
      if (selects !== undefined && !selects(entry.key)) continue
      if (excludes.some((excluded) => excluded(entry.key))) continue
      keys.push(entry.key)
      strings.push(
        isRepeated && !VARYING_HEADERS.has(entry.key.toLowerCase())
          ? this.pool.getRepeated(entry.value)
          : this.pool.get(entry.value, entry.isOfBody),
      )
    }
    return keys.length === 0 ? NO_SOURCES : { keys, strings }
  }

  private selectVariables({ collection, key, selects, excludes }: Selection): Sources {
    if (key !== undefined && collection === 'TX') {
      const value = this.variables.transaction.get(key)
      return value === undefined ? NO_SOURCES : { keys: [key], strings: [this.ofTransaction(value)] }
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
    }
  }

  /** Short ones steer the rules, which must not depend on the same text in the body. */
  private ofTransaction(value: Bytes): PooledString {
    const string = this.pool.getDerived(value)
    return string.isOfBody && value.length <= MAX_STEERING_BYTES ? this.pool.get(value) : string
  }

  private build({ isCount, chain }: Unit, sources: Sources): View {
    const { strings } = sources
    if (isCount) {
      const text = this.pool.get(String(strings.length))
      return { sources: { keys: ONE_KEY, strings: [text] }, values: [text], scan: undefined }
    }
    if (strings.length === 0) return EMPTY_VIEW
    const values =
      chain.steps.length === 0 ? strings : strings.map((source) => this.pool.transform(source, chain))
    return { sources, values, scan: undefined }
  }
}
