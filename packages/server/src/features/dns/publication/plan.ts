// Plans the answers of a name from its stored records: the rules, without what depends on other names.
import { decodeRdata, type Name } from '@zonereeve/dns'
import type { PublicationSettings } from '../../zones/index.ts'
import type { ZoneRecord } from '@zonereeve/nameserver'
import { edgeAnswers, familiesOf, type EdgeAddresses, type EdgeAnswers } from './edge-addresses.ts'
import { isProxiable, TYPE, type StoredRecord } from './stored-record.ts'

/** The zone settings that affect how names are published. */
export type NameSettings = Pick<PublicationSettings, 'flattenAllCnames' | 'zoneMode' | 'http2' | 'http3'>

/** Rules for the names of a zone; zones with the same settings share them. */
export interface NameRules {
  readonly settings: NameSettings
  /** The tag of their zones in the nameserver's table. */
  readonly number: number
  /** Undefined without an edge. */
  readonly answers: EdgeAnswers | undefined
}

export interface PlanContext extends Omit<NameRules, 'number'> {
  readonly apex: Name
}

/** The rules for each combination of settings, numbered from 1 on: there are few combinations and many zones. */
export interface AllNameRules {
  of(settings: NameSettings): NameRules
  /** By number; undefined for 0. */
  numbered(number: number): NameRules | undefined
}

export function createNameRules(edge: EdgeAddresses | undefined): AllNameRules {
  const known = new Map<string, NameRules>()
  const all: NameRules[] = []
  return {
    of({ flattenAllCnames, zoneMode, http2, http3 }) {
      const key = [flattenAllCnames, zoneMode, http2, http3].join()
      let rules = known.get(key)
      if (rules === undefined) {
        const settings = { flattenAllCnames, zoneMode, http2, http3 }
        const number = all.length + 1
        known.set(key, (rules = { settings, number, answers: edge && edgeAnswers(edge, settings) }))
        all.push(rules)
      }
      return rules
    },
    numbered: (number) => all[number - 1],
  }
}

export interface Plan {
  /** Published independently of other names. */
  readonly records: readonly ZoneRecord[]
  /** The CNAME that is replaced by the addresses at the end of its chain. */
  readonly alias: Alias | undefined
}

export interface Alias {
  readonly record: ZoneRecord
  readonly target: Name
}

/** Whether a name with this record may have to be published differently from what is stored. */
export function isSpecial(record: StoredRecord, { apex, settings }: PlanContext): boolean {
  if (record.options !== undefined) return true
  if (!isProxiable(record)) return false
  if (settings.zoneMode === 'cdn_only') return true
  return record.type === TYPE.CNAME && (settings.flattenAllCnames || record.name === apex)
}

/** Whether only records with options, and aliases at the apex, can be special. */
export const hasOrdinaryRules = ({ settings }: PlanContext): boolean =>
  settings.zoneMode !== 'cdn_only' && !settings.flattenAllCnames

/** The plan for one name with all its stored records. */
export function planName(stored: readonly StoredRecord[], around: PlanContext): Plan {
  const { apex, settings, answers } = around
  const others = stored.filter((record) => !isProxiable(record))
  const origins = stored.filter(isProxiable)
  const name = origins[0]?.name
  if (name === undefined) return asStored(stored)

  // One proxied record makes the whole name proxied.
  const proxied = settings.zoneMode !== 'dns_only' && origins.some(({ options }) => options?.proxied === true)
  if (proxied && answers !== undefined) {
    const desired = origins.flatMap(({ options }) => (options?.proxied === true ? [options.families] : []))
    return asStored([...others, ...edgeRecords(name, others, answers[familiesOf(desired)])])
  }
  if (!proxied && settings.zoneMode === 'cdn_only') return asStored(others)
  const cname = origins.find(({ type }) => type === TYPE.CNAME)
  const isFlat =
    proxied || name === apex || settings.flattenAllCnames || cname?.options?.flattenCname === true
  if (cname === undefined || !isFlat) return asStored(stored)
  return { records: others, alias: { record: cname, target: decodeRdata('CNAME', cname.rdata).target } }
}

const asStored = (records: readonly ZoneRecord[]): Plan => ({ records, alias: undefined })

/** Only types that are not stored at the name: a stored HTTPS record wins. */
function edgeRecords(
  name: string,
  others: readonly ZoneRecord[],
  answers: EdgeAnswers[keyof EdgeAnswers],
): ZoneRecord[] {
  const hasHttps = others.some(({ type }) => type === TYPE.HTTPS)
  const desired = hasHttps ? answers.filter(({ type }) => type !== TYPE.HTTPS) : answers
  return desired.map(({ id, type, ttl, rdata }) => ({ id, name, type, ttl, rdata }))
}
