// The collections that rules themselves fill while a request is evaluated: `TX`, and the last matches.
import type { Bytes } from '../bytes.ts'
import type { SecRule } from '../rules/rule-set.ts'
import type { Entry } from './collections.ts'

const MAX_MATCHED = 100

export class Variables {
  /** `TX` by name in lower case. */
  readonly transaction: Map<string, Bytes>
  /** The last value that matched. */
  matched: { readonly name: Bytes; readonly value: Bytes } = { name: '', value: '' }
  /** The rule whose effects are applied. */
  rule: SecRule | undefined
  private list: { name: Bytes; value: Bytes }[] = []
  private isFresh = false

  constructor(initial: Readonly<Record<string, Bytes>> | undefined) {
    this.transaction = new Map(initial === undefined ? [] : Object.entries(initial))
  }

  /** The matches of the link before stay readable until this one matches. */
  beginLink(): void {
    this.isFresh = true
  }

  report(collection: string, key: Bytes, value: Bytes): void {
    const name = key === '' ? collection : `${collection}:${key}`
    this.matched = { name, value }
    if (this.isFresh) this.list = []
    this.isFresh = false
    if (this.list.length < MAX_MATCHED) this.list.push(this.matched)
  }

  /** Sets `TX:0` to `TX:9`. */
  capture(groups: readonly (Bytes | undefined)[]): void {
    for (let i = 0; i < 10; i += 1) {
      const group = groups[i]
      if (group === undefined) this.transaction.delete(String(i))
      else this.transaction.set(String(i), group)
    }
  }

  read(collection: string): readonly Entry[] {
    switch (collection) {
      case 'TX':
        return Array.from(this.transaction, ([key, value]) => ({ key, value }))
      case 'MATCHED_VAR':
        return [{ key: '', value: this.matched.value }]
      case 'MATCHED_VAR_NAME':
        return [{ key: '', value: this.matched.name }]
      case 'MATCHED_VARS':
        return this.list.map(({ name, value }) => ({ key: name, value }))
      case 'MATCHED_VARS_NAMES':
        return this.list.map(({ name }) => ({ key: name, value: name }))
      case 'UNIQUE_ID':
        // The same for every request: a decision must not depend on chance.
        return [{ key: '', value: '0' }]
      default:
        return []
    }
  }

  /** The value of a macro; undefined if it is not one of these collections, or not set. */
  lookUp(collection: string, key: Bytes): Bytes | undefined {
    switch (collection) {
      case 'TX':
        return this.transaction.get(key.toLowerCase())
      case 'MATCHED_VAR':
        return this.matched.value
      case 'MATCHED_VAR_NAME':
        return this.matched.name
      case 'UNIQUE_ID':
        return '0'
      case 'RULE':
        if (this.rule === undefined) return undefined
        return key.toLowerCase() === 'msg' ? this.rule.message : String(this.rule.id)
      default:
        return undefined
    }
  }

  set(collection: string, key: string, value: Bytes): void {
    // Other collections are kept between requests, which this interpreter does not do.
    if (collection === 'TX') this.transaction.set(key, value)
  }

  unset(collection: string, key: Bytes): void {
    if (collection === 'TX') this.transaction.delete(key.toLowerCase())
  }
}
